// Demo data: recurring events (clubs, classes, courses, private series) and edits of single dates.
import { readTable } from './table.ts'

const COLUMNS = ['title', 'category', 'room', 'time', 'minutes', 'rule', 'path', 'description'] as const

/** Series without an end. */
export const ENDLESS = readTable(
  COLUMNS,
  `
Early yoga                 | Classes  | Studio          | 07:00 |  60 | FREQ=WEEKLY;BYDAY=MO,TH            | yoga       | Gentle stretching before work. Bring a mat if you have one; we have ten to lend.
Chair-based exercise       | Health   | Main hall       | 10:30 |  60 | FREQ=WEEKLY;BYDAY=MO               |            | Keep moving, sitting down. Tea afterwards.
Bridge club                | Clubs    | Garden room     | 14:00 | 150 | FREQ=WEEKLY;BYDAY=MO               |            | Partners found for those who come alone.
Karate for all             | Classes  | Main hall       | 18:00 |  75 | FREQ=WEEKLY;BYDAY=MO               |            | From white belt up. Children from eight years.
Town choir                 | Music    | Main hall       | 19:30 |  90 | FREQ=WEEKLY;BYDAY=TU               | choir      | No auditions. Four parts, two concerts a year, biscuits every week.
Knit and natter            | Clubs    | Garden room     | 14:00 | 120 | FREQ=WEEKLY;BYDAY=TU               |            | Wool provided for beginners.
Tai chi in the garden      | Health   | Courtyard       | 10:00 |  60 | FREQ=WEEKLY;BYDAY=WE               |            | In the small hall when it rains.
Coffee morning             | Clubs    | Café            | 10:30 |  90 | FREQ=WEEKLY;BYDAY=WE               |            | Anyone is welcome, and nobody sits alone.
Pilates                    | Classes  | Studio          | 18:15 |  60 | FREQ=WEEKLY;BYDAY=WE               |            | Mixed ability. Book the first visit with the office.
Ballroom for beginners     | Classes  | Main hall       | 19:30 |  90 | FREQ=WEEKLY;BYDAY=WE               | ballroom   | Waltz, quickstep and a break for lemonade.
Badminton                  | Clubs    | Main hall       | 10:00 | 120 | FREQ=WEEKLY;BYDAY=TH               |            | Two courts. Rackets at the office.
Lunch club                 | Health   | Café            | 12:00 | 120 | FREQ=WEEKLY;BYDAY=FR               | lunch-club | Two courses and company for anyone over sixty. Lifts can be arranged.
Saturday market            | Markets  | Courtyard       | 09:00 | 240 | FREQ=WEEKLY;BYDAY=SA               | market     | Bread, cheese, vegetables and flowers from within twenty miles.
Sunday morning run         | Health   | Town green      | 09:00 |  60 | FREQ=WEEKLY;BYDAY=SU               |            | Five kilometres at any pace, twice round the water meadow.
Brass band rehearsal       | Music    | Small hall      | 19:00 | 120 | FREQ=WEEKLY;BYDAY=MO               |            | Players of grade three and above. Percussionists especially wanted.
Board games night          | Clubs    | Café            | 19:00 | 180 | FREQ=WEEKLY;INTERVAL=2;BYDAY=TH    |            | Three hundred games on the shelf, and someone to explain each.
Baby weighing clinic       | Health   | Small hall      | 13:30 |  90 | FREQ=WEEKLY;INTERVAL=2;BYDAY=WE    |            | With the health visitors. No appointment needed.
Sketching group            | Clubs    | Garden room     | 14:00 | 120 | FREQ=WEEKLY;INTERVAL=2;BYDAY=TH    |            | A still life is set up, or bring your own subject.
Advice drop-in             | Health   | Meeting room    | 10:00 | 180 | FREQ=WEEKLY;INTERVAL=2;BYDAY=TH    | advice     | Housing, benefits and bills. Free and confidential.
French conversation        | Learning | Library corner  | 10:30 |  60 | FREQ=WEEKLY;INTERVAL=2;BYDAY=FR    |            | For those who learned it once and would like it back.
Town council               | Council  | Council chamber | 19:00 | 150 | FREQ=MONTHLY;BYDAY=2MO             | council    | Open to the public. Questions from residents are taken first.
Planning committee         | Council  | Council chamber | 18:30 | 120 | FREQ=MONTHLY;BYDAY=3WE             | planning   | The list of applications hangs in the foyer a week before.
Councillors’ surgery       | Council  | Library corner  | 10:00 | 120 | FREQ=MONTHLY;BYDAY=1SA             |            | Two councillors, no appointment.
Repair café                | Clubs    | Workshop        | 10:00 | 180 | FREQ=MONTHLY;BYDAY=1SA             | repair     | Bring what is broken: lamps, zips, bicycles, radios. Volunteers mend it with you.
Open mic                   | Music    | Café            | 20:00 | 150 | FREQ=MONTHLY;BYDAY=2FR             |            | Ten minutes each. Sign up at the bar from half past seven.
Pub quiz without the pub   | Clubs    | Café            | 19:30 | 150 | FREQ=MONTHLY;BYDAY=-1FR            |            | Teams of up to six. Proceeds to the roof fund.
Book club                  | Learning | Library corner  | 19:00 |  90 | FREQ=MONTHLY;BYDAY=-1TH            | books      | The next book is on the shelf by the door.
History society            | Learning | Garden room     | 19:30 |  90 | FREQ=MONTHLY;BYDAY=3TU             | history    | A speaker, slides and the archive boxes open afterwards.
Gardening club             | Clubs    | Garden room     | 19:00 |  90 | FREQ=MONTHLY;BYDAY=1WE             |            | Seeds, cuttings and advice change hands.
Tea dance                  | Music    | Main hall       | 14:30 | 150 | FREQ=MONTHLY;BYDAY=-1SU            |            | A trio plays, and there is cake.
Craft market               | Markets  | Main hall       | 09:30 | 240 | FREQ=MONTHLY;BYDAY=2SA             | crafts     | Makers from the county: pots, prints, wool and wood.
Blood donation             | Health   | Small hall      | 13:00 | 360 |                                    | blood      | Please book a time, drink plenty and eat something before you come.
Town meeting               | Council  | Main hall       | 19:00 | 120 | FREQ=YEARLY;BYMONTH=4;BYDAY=3TH    | council    | The yearly meeting of everyone on the electoral roll.
Remembrance gathering      | Seasonal | Town green      | 10:45 |  45 | FREQ=YEARLY;BYMONTH=11;BYDAY=2SU   |            | At the memorial. The road is closed from ten.
New Year’s walk            | Seasonal | Town green      | 11:00 | 150 | FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=2 |            | Six miles, mostly flat, with soup at the end.
Summer fair                | Seasonal | Town green      | 11:00 | 360 | FREQ=YEARLY;BYMONTH=7;BYDAY=1SA    | fair       | Stalls, the dog show, the tug of war and the band.
`,
)

export const PRIVATE_SERIES = readTable(
  COLUMNS,
  `
Surgery team meeting        | Hire  | Meeting room    | 13:00 |  60 | FREQ=WEEKLY;BYDAY=TU                         | | The practice’s clinical meeting: rota, complaints, safeguarding. Door closed, no tea trolley.
Trustees’ meeting           | House | Meeting room    | 18:00 | 120 | FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1 | | Accounts, staffing, roof fund. Papers go out a week before.
Fire alarm test             | House | Whole centre    | 08:00 |  20 | FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1| | Caretaker and deputy. Note the panel reading in the book.
Counselling, room hire      | Hire  | Meeting room    | 15:00 | 180 | FREQ=WEEKLY;BYDAY=FR                         | | Three clients, fifty minutes each. Nobody waits in the corridor.
`,
)

/** In term time only, one series a school year. */
export const TERM_CLASSES = readTable(
  ['title', 'category', 'room', 'weekday', 'time', 'minutes', 'path', 'description'],
  `
Toddler group          | Children | Small hall | TU | 09:45 |  90 | toddlers | Songs, paint and a quiet corner. Older brothers and sisters welcome.
After-school art club  | Children | Studio     | TU | 15:45 |  75 |          | Ages six to eleven. Old clothes, please.
Junior drama           | Children | Small hall | WE | 16:00 |  90 | drama    | Two groups, one play in summer.
Young gymnasts         | Children | Main hall  | TH | 16:15 |  75 |          | Ages five to ten. Waiting list at the office.
Youth club             | Children | Small hall | FR | 18:30 | 120 | youth    | Table football, music room, toast. School years seven to eleven.
`,
)

/** A fixed number of evenings. */
export const COURSES = readTable(
  ['title', 'category', 'room', 'weekday', 'time', 'minutes', 'count', 'path', 'description'],
  `
Pottery for beginners            | Learning | Workshop       | TU | 19:00 | 120 |  8 | pottery | Eight evenings from clay to glaze. Materials included.
Watercolour landscapes           | Learning | Studio         | MO | 19:00 | 120 |  6 |         | Six evenings, one of them outdoors if it stays dry.
Getting on with your telephone   | Learning | Library corner | WE | 14:00 |  90 |  5 | digital | Messages, photographs, maps and how to spot a swindle.
Spanish from nothing             | Learning | Meeting room   | WE | 19:30 |  90 | 10 |         | Ten evenings. You will be able to order lunch.
Guitar in a group                | Music    | Studio         | TU | 18:30 |  60 |  8 |         | Three chords by the second week.
Sewing: a simple skirt           | Learning | Workshop       | TH | 19:00 | 120 |  6 | sewing  | Machines provided. Bring two metres of cotton.
`,
)

/** Dates beside the rule, or instead of one. */
export const EXTRA_DATES: Record<string, readonly string[]> = {
  'Saturday market': ['12/24'],
  'Blood donation': ['3 2TH', '6 2TH', '9 2TH', '12 2TH'],
}

/** Single occurrences edited: `nth` counts from today on. */
export const EDITS = readTable(
  ['series', 'nth', 'days', 'time', 'title', 'room', 'status'],
  `
Town choir         | 2 |  1 | 19:30 |                                | Small hall   |
Town choir         | 6 |    |       | Town choir: come and sing day  |              |
Town council       | 1 |  7 | 19:00 |                                |              |
Planning committee | 2 |    |       |                                | Small hall   |
Early yoga         | 3 |    |       |                                |              | cancelled
Badminton          | 1 |    | 14:00 |                                |              |
Open mic           | 1 |    |       | Open mic: the final            |              |
Book club          | 1 | -7 | 19:00 |                                |              |
Repair café        | 2 |    |       |                                | Main hall    | tentative
Pub quiz without the pub | 2 | |   |                                |              | cancelled
Surgery team meeting | 2 |  1 | 13:00 | Surgery team meeting, with the locum |   |
Trustees’ meeting  | 2 |    |       |                                |              | cancelled
`,
)
