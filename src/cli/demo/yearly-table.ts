// Demo data: seasonal events that take place once a year.
import { readTable } from './table.ts'

/** `days` is empty for something with hours. */
export const SEASONAL = readTable(
  ['title', 'category', 'room', 'on', 'days', 'time', 'minutes', 'path', 'description'],
  `
Burns supper                  | Seasonal    | Main hall    | 1 4SA     |   | 18:30 | 270 | burns     | Haggis, or the vegetarian one. A piper at seven.
Wassail in the orchard        | Seasonal    | Town green   | 1 3SA     |   | 16:00 | 120 |           | Bring a lantern and something to bang.
Seed swap                     | Markets     | Main hall    | 2 1SU     |   | 10:00 | 180 |           | Bring a packet, take a packet.
Pancake race                  | Seasonal    | Town green   | easter-47 |   | 12:00 |  60 | pancakes  | From the pump to the church gate. Pans provided.
Mothering Sunday tea          | Seasonal    | Café         | easter-21 |   | 14:30 | 120 |           | Children serve.
Half-term holiday club        | Children    | Small hall   | 2 3MO     | 5 |       |     | holiday   | Nine till three, packed lunch needed. Ages five to eleven.
Spring clean of the riverbank | Seasonal    | Town green   | 3 4SU     |   | 10:00 | 180 |           | Gloves and bags are handed out; wear boots.
Easter egg trail              | Children    | Town green   | easter-1  |   | 10:30 | 120 |           | Twelve clues. Under-fives start at half past ten.
Plant sale                    | Markets     | Courtyard    | 5 3SU     |   | 10:00 | 180 |           | Tomatoes, beans and a great many geraniums.
May fayre dance               | Music       | Town green   | 5 2SU     |   | 13:00 | 180 |           | The maypole, the morris side and anyone who will join in.
Arts weekend                  | Exhibitions | Whole centre | 6 2SA     | 2 |       |     | arts      | Twenty studios open their doors; maps in the foyer.
Midsummer concert             | Music       | Courtyard    | 6 3SU     |   | 18:00 | 150 | concerts  | Bring a chair and a picnic.
Summer holiday club           | Children    | Small hall   | 8 1MO     | 5 |       |     | holiday   | A week of making, climbing and getting wet.
Flower and produce show       | Seasonal    | Main hall    | 8 3SU     |   | 12:00 | 240 | show      | Entries by ten. The longest bean wins a spade.
Heritage open days            | Exhibitions | Whole centre | 9 2FR     | 3 |       |     | heritage  | The bell tower, the cellar and the old schoolroom.
Harvest supper                | Seasonal    | Main hall    | 9 -1FR    |   | 18:30 | 180 |           | Bring a dish to share.
Apple day                     | Markets     | Courtyard    | 10 3SU    |   | 11:00 | 240 |           | Pressing, tasting and naming of unknown apples.
Hallowe’en for the little ones| Children    | Small hall   | 10/31     |   | 16:00 |  90 |           | Not very frightening.
Bonfire supper                | Seasonal    | Town green   | 11 1SA    |   | 17:30 | 180 | bonfire   | Lit at six. Hot food from the scouts’ tent.
Christmas market              | Markets     | Whole centre | 12 1SA    | 2 |       |     | christmas | Sixty stalls, the band and a lantern parade.
Carols round the tree         | Music       | Town green   | 12 3SU    |   | 16:30 |  60 | choir     | With the choir and the band. Mulled juice for all.
Town pantomime                | Seasonal    | Main hall    | 12 3TH    | 3 |       |     | panto     | Evenings at seven, Saturday matinée at two.
Centre closed for the holidays| Closures    | Whole centre | 12/27     | 5 |       |     |           | The office opens again after New Year.
`,
)
