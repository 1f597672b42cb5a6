import type { Attraction } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { attraction as noun, attractionHref } from '../commands/nouns/attraction.ts'
import { text } from '../format.ts'
import styles from './attractions.module.css'
import { listScreen } from './screen.tsx'
import { coordinateColumn, linkColumn, textColumn } from './table/columns.tsx'
import { CommandButton } from './ui/command-button.tsx'
import { CreateButton } from './written.tsx'

/** S2.m */
export const attractions = listScreen<Attraction>({
  noun,
  title: 'Attractions',
  loading: 'Loading....',
  empty: 'No attractions to display',
  actions: <CreateButton noun={noun} label="Add attraction" />,
  columns: [
    {
      ...linkColumn<Row<Attraction>>(
        'id',
        'ID #',
        5,
        ({ id }) => attractionHref(id),
        ({ id }) => id,
      ),
      sort: 'id',
    },
    {
      id: 'image',
      header: 'Image',
      width: 5,
      cell: ({ image, name }) =>
        text(image) && (
          <img className={styles.thumbnail} src={text(image)} alt={`Cover of ${text(name)}`} loading="lazy" />
        ),
      copy: ({ image }) => text(image),
    },
    { ...textColumn('name', 'Name', 15, ({ name }) => name), card: 'name' },
    textColumn('location', 'Location', 15, ({ location }) => location?.placeName),
    coordinateColumn('latitude', 'Latitude', ({ lat }) => lat),
    coordinateColumn('longitude', 'Longitude', ({ lng }) => lng),
    {
      id: 'action',
      header: 'Action',
      width: 8.5,
      control: true,
      cell: (row) => <CommandButton command={noun.remove} noun={noun} row={row} label="Delete" />,
    },
  ],
})
