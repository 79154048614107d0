// Demo data: public single events, one row each.
import { readTable } from './table.ts'

/** `days` are weekdays, and months if it belongs to a season: `SA SU 5-9`. `length` is minutes, or whole days as `21d`. */
export const SINGLE_COLUMNS = ['title', 'category', 'room', 'days', 'time', 'length', 'path', 'description'] as const

export const SINGLES = readTable(
  SINGLE_COLUMNS,
  `
Film: Brief Encounter                  | Film | Main hall | FR | 19:30 | 100 | films | A railway station, a speck of grit, and a great deal of restraint.
Film: Whisky Galore!                   | Film | Main hall | FR | 19:30 |  95 | films | An island, a shipwreck and fifty thousand cases.
Film: The Ladykillers                  | Film | Main hall | FR | 19:30 | 105 | films | Lodgers who are not a string quintet.
Film: Passport to Pimlico              | Film | Main hall | FR | 19:30 |  95 | films | A street declares itself abroad.
Film: The Red Shoes                    | Film | Main hall | FR | 19:30 | 145 | films | With an interval and ices.
Film: The Lady Vanishes                | Film | Main hall | FR | 19:30 | 105 | films | A train, a governess and nobody who saw her.
Film: The General                      | Film | Main hall | FR | 19:30 |  90 | films | Silent, with the organ played live.
Film: Metropolis                       | Film | Main hall | FR | 19:00 | 165 | films | Silent, restored, with an interval.
Film: Bicycle Thieves                  | Film | Main hall | FR | 19:30 | 100 | films | In Italian with subtitles.
Film: Tokyo Story                      | Film | Main hall | FR | 19:00 | 145 | films | In Japanese with subtitles.
Film: Singin’ in the Rain              | Film | Main hall | FR | 19:30 | 110 | films | Singing along is allowed.
Film: Roman Holiday                    | Film | Main hall | FR | 19:30 | 125 | films | Gelato in the interval.
Film: Local Hero                       | Film | Main hall | FR | 19:30 | 120 | films | A village that rather likes being bought.
Film: The Wizard of Oz                 | Film | Main hall | SU | 15:00 | 110 | films | Family showing; slippers encouraged.
Film: My Neighbour Totoro              | Film | Main hall | SU | 15:00 |  95 | films | Family showing, dubbed.
Film: The Railway Children             | Film | Main hall | SU | 15:00 | 115 | films | Family showing. Bring a handkerchief.
Film: It’s a Wonderful Life            | Film | Main hall | FR 12-12 | 19:30 | 140 | films | The last showing before Christmas, with mince pies.
Film: Kind Hearts and Coronets         | Film | Main hall | FR | 19:30 | 110 | films | Eight relations stand in the way.
Film: A Matter of Life and Death       | Film | Main hall | FR | 19:30 | 110 | films | An airman argues with heaven.
Film: Seven Samurai                    | Film | Main hall | SU | 14:00 | 225 | films | All of it, with soup halfway.
Film: Hue and Cry                      | Film | Main hall | FR | 19:30 |  90 | films | Boys, comics and a gang of crooks.
Film: The Man in the White Suit        | Film | Main hall | FR | 19:30 |  95 | films | Cloth that never wears out, and who minds.
Talk: swifts and where they go         | Learning | Garden room | TH | 19:30 |  90 | talks | And how to put up a box before May.
Talk: the canal that was never dug     | Learning | Garden room | TH | 19:30 |  90 | talks | Maps from the county archive.
Talk: bees in small gardens            | Learning | Garden room | TH | 19:30 |  75 |       | With honey to taste.
Talk: reading old handwriting          | Learning | Garden room | TH | 19:30 |  90 | talks | Bring a letter nobody can read.
Talk: stars over the town              | Learning | Town green  | TH 10-3 | 20:00 |  90 |   | Telescopes on the green, if the sky is clear.
Talk: heat pumps, honestly             | Learning | Garden room | TH | 19:30 |  90 |       | Three households show their bills.
Talk: the town in forty maps           | Learning | Garden room | TH | 19:30 |  90 | talks |
Talk: mushrooms, safe and otherwise    | Learning | Garden room | TH 9-11 | 19:30 | 90 |    | Bring a basket for naming, not for eating.
Talk: wills and powers of attorney     | Learning | Garden room | TH | 18:00 |  75 |       | General advice; no appointment needed.
Talk: how the mill worked              | Learning | Garden room | TH | 19:30 |  75 | talks |
Talk: sleeping better                  | Health   | Garden room | TH | 19:00 |  75 |       | With one of the practice nurses.
Talk: hedgehogs                        | Learning | Garden room | TH | 18:30 |  60 |       | Children welcome.
Talk: railways in the valley           | Learning | Garden room | TH | 19:30 |  90 | talks | With cine film from the nineteen-fifties.
Talk: what lives in the river          | Learning | Garden room | TH | 19:30 |  75 |       |
Talk: bell ringing from the inside     | Music    | Garden room | TH | 19:30 |  75 |       | The ringers bring handbells.
Workshop: bake your own sourdough      | Learning | Kitchen  | SA SU | 10:00 | 240 | bread | Take home a loaf and a jar of starter.
Workshop: mending clothes              | Learning | Workshop | SU    | 14:00 | 150 |       | Darning, patching and turning a collar.
Workshop: willow baskets               | Learning | Workshop | SU    | 10:00 | 360 |       | A day’s work, a basket each.
Workshop: lino prints                  | Learning | Workshop | SU    | 10:00 | 240 |       |
Workshop: sharpen your tools           | Learning | Workshop | SU    | 10:00 | 120 |       | Kitchen knives too.
Workshop: first aid in a day           | Health   | Small hall | SA  | 09:30 | 360 | first-aid | Certificate included. Bring lunch.
Workshop: first aid for babies         | Health   | Small hall | SA  | 10:00 | 150 | first-aid |
Workshop: pruning fruit trees          | Learning | Town green | SU 1-3 | 10:30 | 150 |     | Bring secateurs.
Workshop: wreaths for the door         | Seasonal | Workshop | SU 11-12 | 14:00 | 150 |   | Greenery provided.
Workshop: bicycle maintenance          | Learning | Courtyard | SU 4-9 | 10:00 | 180 |     | Bring the bicycle.
Workshop: jam and chutney              | Learning | Kitchen  | SU 8-10 | 10:00 | 240 |    | Bring clean jars.
Workshop: ukulele in an afternoon      | Music    | Studio   | SU    | 14:00 | 150 |       | Instruments to borrow.
Workshop: calligraphy                  | Learning | Studio   | SU    | 10:00 | 180 |       |
Workshop: family trees online          | Learning | Library corner | SA | 14:00 | 120 |   |
Workshop: photographs from the attic   | Learning | Library corner | SA | 14:00 | 120 |   | Scanning, naming and keeping them.
Workshop: rag rugs                     | Learning | Workshop | SU    | 10:00 | 240 |       |
Workshop: indoor plants                | Learning | Garden room | SA | 14:00 |  90 |       |
Workshop: storytelling                 | Children | Library corner | SA | 14:00 | 90 |    | For families with children from four.
Workshop: kites                        | Children | Town green | SU 3-5 | 14:00 | 120 |     | Build one, fly one.
Workshop: singing for the shy          | Music    | Studio   | SU    | 14:00 | 120 | choir |
Film: The 39 Steps                     | Film | Main hall | FR | 19:30 |  90 | films | Handcuffs, moors and a music hall.
Film: Genevieve                        | Film | Main hall | FR | 19:30 |  90 | films | Two old cars, one road and a wager.
Talk: lost pubs of the town            | Learning | Garden room | TH | 19:30 |  90 | talks | With a map of forty that have gone.
Talk: hedges and how to date them      | Learning | Garden room | TH | 19:30 |  75 |       |
Talk: the winter of the great snow     | Learning | Garden room | TH 11-2 | 19:30 | 90 | talks | Bring your photographs.
Workshop: bird boxes                   | Children | Workshop | SU 1-4 | 14:00 | 120 |     | Hammers small and large.
Workshop: paper lanterns               | Children | Workshop | SU 11-12 | 10:00 | 150 |   | For the parade at the Christmas market.
Workshop: cooking for one              | Learning | Kitchen  | SA    | 10:30 | 150 | bread | Seven dinners, one pan.
Puppet theatre                         | Children | Small hall | SA | 15:00 |  60 |       | For ages three to eight. Grown-ups sit at the back.
Teddy bears’ picnic                    | Children | Town green | SA 5-8 | 12:00 | 120 |   | Bring a bear, and lunch for two.
Science for small hands                | Children | Small hall | SU | 10:30 | 120 |       | Volcanoes, slime and a very long marble run.
Building bricks                         | Children | Small hall | SU | 14:00 | 120 |       | Two hundred thousand bricks, one town to build.
Christmas lunch for anyone alone       | Health   | Café       | SU 12-12 | 12:30 | 150 | | Tell the office by the tenth.
Tree planting                          | Seasonal | Town green | SA 11-3 | 10:30 | 150 | | Two hundred whips along the east hedge.
Barn dance for the roof fund           | Music | Main hall | SA | 19:00 | 210 | concerts | Callers, cider and pie.
Poetry evening                         | Learning | Library corner | SA | 19:30 | 90 | books | Read your own or somebody else’s.
Concert: string quartet                | Music | Main hall | SU | 17:00 | 100 | concerts | Two quartets and an encore.
Concert: folk in the round             | Music | Main hall | SU | 19:00 | 150 | concerts |
Concert: jazz and supper               | Music | Café      | SA | 19:00 | 180 | concerts | Tables of four and six.
Concert: the choir’s spring programme  | Music | Main hall | SU 3-4 | 18:00 | 110 | choir |
Concert: the choir’s winter programme  | Music | Main hall | SU 12-12 | 18:00 | 110 | choir | With the school’s recorder group.
Concert: young players                 | Music | Main hall | SU | 15:00 |  75 |         | From first scales to grade eight.
Concert: brass on the green            | Music | Town green | SU 6-9 | 15:00 | 90 |       | Deckchairs for hire.
Concert: piano by candlelight          | Music | Main hall | SU 10-3 | 18:00 | 80 | concerts |
Concert: ceilidh                       | Music | Main hall | FR | 19:30 | 210 | concerts | A caller, a band and bowls of stew.
Open-air opera screening               | Music | Town green | SA 6-8 | 19:30 | 200 |      | Depends on the weather and on the licence.
Exhibition: the town in photographs    | Exhibitions | Gallery | MO | | 27d | gallery | Glass plates from the old studio in the high street.
Exhibition: quilts                     | Exhibitions | Gallery | MO | | 20d | gallery |
Exhibition: school art                 | Exhibitions | Gallery | MO | | 13d | gallery | Every class from the primary school.
Exhibition: maps of the parish         | Exhibitions | Gallery | MO | | 34d | gallery |
Exhibition: the print room             | Exhibitions | Gallery | MO | | 27d | gallery | Etchings and lino from the Sunday workshops.
Exhibition: wildlife photographs       | Exhibitions | Gallery | MO | | 41d | gallery | Everything seen within a mile of the bridge.
Exhibition: pots and bowls             | Exhibitions | Gallery | MO | | 20d | gallery |
Exhibition: a hundred years of shops   | Exhibitions | Gallery | MO | | 48d | gallery | Signs, ledgers and a working till.
Consultation: the high street          | Council | Main hall       | TU | 15:00 | 240 | council | Drawings on the walls, officers to ask.
Consultation: a new playground         | Council | Small hall      | SA | 14:00 | 150 | council | Children’s votes count double.
Consultation: buses in the evening     | Council | Council chamber | TH | 18:00 | 120 | council |
Flood group: public meeting            | Council | Council chamber | TH | 19:00 |  90 | council |
Budget evening                         | Council | Council chamber | TH 1-2 | 19:00 | 120 | council | Where the money goes, with questions.
Allotments: yearly allocation          | Council | Council chamber | TH 2-3 | 18:30 | 60 |   |
Flu clinic                             | Health  | Small hall      | SA 9-11 | 09:00 | 240 |  | Ring the practice for a time.
Hearing aid clinic                     | Health  | Meeting room    | WE | 10:00 | 150 |      | Batteries and tubes changed while you wait.
Mobile eye screening                   | Health  | Courtyard       | TU | 09:00 | 420 |      |
Blood pressure checks                  | Health  | Library corner  | TU | 10:00 | 120 |      | Two minutes each.
Jumble sale for the roof               | Markets | Small hall      | SA | 14:00 | 150 |      | Things taken in from noon.
Toy and clothes swap                   | Markets | Small hall      | SA | 14:00 | 120 |      |
Book sale                              | Markets | Small hall      | SA | 14:00 | 150 | books | Fifty pence each, a pound for a bagful.
Vintage market                         | Markets | Small hall      | SU | 10:00 | 300 |      |
Vaccination for dogs and cats          | Health  | Courtyard       | SU | 10:00 | 180 |      | Leads and baskets, please.
`,
)

/** What was called off, and what is not settled yet. */
export const SINGLE_STATUS: Record<string, 'tentative' | 'cancelled'> = {
  'Open-air opera screening': 'tentative',
  'Consultation: buses in the evening': 'tentative',
  'Talk: hedgehogs': 'cancelled',
  'Mobile eye screening': 'cancelled',
}
