// Demo data: private events (room hires, maintenance); the public sees only their times.
import { SINGLE_COLUMNS } from './public-table.ts'
import { readTable } from './table.ts'

/** Telephone numbers are from the range kept free for fiction. */
export const HIRES = readTable(
  SINGLE_COLUMNS,
  `
Wedding reception, 80 guests            | Hire | Main hall   | SA 4-9  | 14:00 | 600 | | Caterers from ten. Deposit paid. Keys back by noon on Sunday. Contact 01632 960101.
Wedding reception, 120 guests           | Hire | Main hall   | SA 4-9  | 14:00 | 600 | | Marquee in the courtyard. Band until eleven, no later. Contact 01632 960102.
Wedding reception, 60 guests            | Hire | Main hall   | SA 4-9  | 15:00 | 540 | | Step-free entrance for the grandmother. Contact 01632 960103.
Wedding breakfast and ceilidh           | Hire | Main hall   | SA 4-10 | 13:30 | 630 | | Caller booked by the couple. Second instalment due.
Wedding reception, the baker’s daughter | Hire | Main hall   | SA 5-9  | 14:00 | 600 | | Cake arrives at nine. Surprise: the choir sings at six.
Wedding reception, small party          | Hire | Garden room | SA 4-10 | 13:00 | 360 | | Twenty-five guests. One severe nut allergy.
Civil partnership celebration           | Hire | Garden room | SA      | 15:00 | 300 | | Thirty guests, own wine. Corkage agreed.
Wedding rehearsal                       | Hire | Small hall  | FR 4-9  | 15:30 |  90 | | Bring the good chairs down.
Wedding fair, stallholders only         | Hire | Small hall  | SU 1-3  | 10:00 | 300 | | Not to be announced before the hotel’s own.
Birthday party, turning 1               | Hire | Small hall  | SA SU   | 10:30 | 150 | | Soft play from the cupboard. Contact 01632 960110.
Birthday party, turning 4               | Hire | Small hall  | SA SU   | 14:00 | 150 | | Bouncy castle, own insurance seen.
Birthday party, turning 5               | Hire | Small hall  | SA SU   | 14:00 | 150 | | Dinosaurs. Twenty children, two with coeliac disease.
Birthday party, turning 6               | Hire | Small hall  | SA SU   | 10:30 | 150 | | Magician arrives at ten.
Birthday party, turning 7               | Hire | Small hall  | SA SU   | 14:00 | 150 | | Father must not be told the time. See note in the safe.
Birthday party, turning 8               | Hire | Studio      | SA      | 14:00 | 150 | | Disco. Speaker from the cupboard.
Birthday party, turning 9               | Hire | Main hall   | SU      | 10:00 | 150 | | Football indoors, soft balls only.
Birthday party, turning 11              | Hire | Studio      | SA      | 15:00 | 150 | | Art party, tables covered.
Birthday party, turning 16              | Hire | Small hall  | SA      | 18:30 | 240 | | Two parents at the door throughout.
Birthday party, turning 18              | Hire | Main hall   | SA      | 19:00 | 270 | | Deposit doubled after last time.
Birthday party, turning 21              | Hire | Small hall  | SA      | 19:00 | 270 | | Bar licence applied for.
Birthday party, turning 30              | Hire | Garden room | SA      | 18:30 | 270 | | Surprise. Nobody rings the house.
Birthday party, turning 40              | Hire | Main hall   | SA      | 19:00 | 270 | | Tribute band, sound limiter on.
Birthday party, turning 50              | Hire | Main hall   | SA      | 19:00 | 270 | | Surprise. Guests use the back gate.
Birthday party, turning 60              | Hire | Garden room | SA SU   | 13:00 | 240 | | Buffet for forty. Invoice to the son.
Birthday party, turning 70              | Hire | Garden room | SA SU   | 13:00 | 240 | | Slide projector needed.
Birthday party, turning 80              | Hire | Garden room | SU      | 12:30 | 240 | | Three wheelchairs. Heating on early.
Birthday party, turning 90              | Hire | Garden room | SU      | 14:00 | 180 | | The mayor looks in at three.
Birthday party, turning 100             | Hire | Main hall   | SU      | 14:00 | 180 | | The newspaper asks; the family says no.
Silver wedding                          | Hire | Garden room | SA      | 18:00 | 270 | | Contact 01632 960120.
Golden wedding                          | Hire | Garden room | SU      | 12:30 | 240 | | Lunch for fifty, both families.
Ruby wedding                            | Hire | Small hall  | SA      | 18:00 | 270 | |
Retirement do, the fire station         | Hire | Café        | SA      | 19:00 | 240 | | The whole watch. A present is hidden in the office.
Retirement party, head teacher          | Hire | Main hall   | FR 7-7  | 16:00 | 180 | | Secret until the last assembly.
Leaving do, the surgery                 | Hire | Café        | SA      | 19:00 | 180 | |
Christening lunch                       | Hire | Garden room | SU      | 12:00 | 210 | | Forty guests. High chairs: four.
Naming day                              | Hire | Garden room | SU      | 11:00 | 210 | |
Baby shower                             | Hire | Garden room | SA      | 14:00 | 180 | | The mother-to-be thinks it is the book club.
Funeral tea                             | Hire | Garden room | WE FR   | 14:30 | 150 | | Eighty expected. Family asks for no music.
Funeral tea, the old postmaster         | Hire | Small hall  | TH FR   | 14:00 | 150 | | Overflow to the garden.
Memorial gathering                      | Hire | Garden room | SA      | 15:00 | 150 | | Ashes are scattered at four.
Family reunion                          | Hire | Main hall   | SU      | 11:00 | 360 | | Three cousins are not speaking. Two entrances.
Engagement party                        | Hire | Small hall  | SA      | 19:00 | 240 | | Contact 01632 960131.
Hen afternoon                           | Hire | Studio      | SA      | 14:00 | 180 | | Dance teacher booked.
Eid lunch                               | Hire | Main hall   | SU 3-6  | 12:00 | 240 | | Kitchen handed over clean at eight.
Diwali evening                          | Hire | Main hall   | SU 10-11| 17:00 | 270 | | Lamps in glasses only.
Quinceañera                             | Hire | Main hall   | SA      | 16:00 | 360 | |
School leavers’ prom                    | Hire | Main hall   | FR 7-7  | 18:30 | 240 | | Staff list with the deputy head.
Practice away day                       | Hire | Meeting room| WE      | 09:00 | 480 | | The partners discuss the merger. Nothing on the door.
Practice training: resuscitation        | Hire | Small hall  | TH      | 13:00 | 180 | | Surgery closed meanwhile.
Practice interviews                     | Hire | Meeting room| MO      | 09:30 | 390 | | Five candidates, keep them apart.
Dental practice, staff meeting          | Hire | Meeting room| WE      | 13:00 |  90 | |
Solicitors’ mediation                   | Hire | Meeting room| MO WE   | 10:00 | 240 | | Two rooms, never the same corridor.
Bank pop-up branch                      | Hire | Meeting room| WE      | 10:00 | 240 | | Cash on site: do not announce.
Brewery tasting panel                   | Hire | Café        | TU      | 14:00 | 120 | | New recipe under wraps.
Film crew base                          | Hire | Small hall  | MO TH   | 07:00 | 600 | | Under embargo until the series is announced.
Housing association, tenants’ hearing   | Hire | Meeting room| WE      | 14:00 | 150 | |
Support group, first meeting            | Hire | Meeting room| MO WE   | 18:30 |  90 | | No name on the board.
Political party, candidate selection    | Hire | Small hall  | SU      | 14:00 | 180 | | Members only, list at the door.
Polling rehearsal for presiding officers| Hire | Small hall  | TH 3-4  | 14:00 | 120 | |
Recording session, string quartet       | Hire | Main hall   | SU      | 10:00 | 300 | | Heating off while the light is red.
Boiler service                          | House| Whole centre | TU   | 08:00 | 180 | | Contractor rings from the gate.
Lift inspection                         | House| Foyer       | WE      | 08:30 | 120 | | Lift out of use; warn the lunch club.
Floor sanding, foyer                    | House| Foyer       | MO 8-8  |       | 4d  | | No shoes, no chairs, no exceptions.
Staff appraisals                        | House| Office      | TU      | 09:00 | 420 | | One hour each. Office telephone diverted.
Insurance assessor                      | House| Whole centre | TH   | 11:00 |  90 | | Leak above the gallery. Photographs in the safe.
`,
)
