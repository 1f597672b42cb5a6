import { listAttractions } from '../api/attractions.ts'
import type { Attraction } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { attractionCommands, attractionForm, attractionHref } from '../commands/attractions.ts'
import { recordOf } from '../commands/form.ts'
import { text } from '../format.ts'
import styles from './attractions.module.css'
import { listScreen } from './screen.tsx'
import { coordinateColumn, linkColumn, textColumn } from './ui/columns.tsx'
import { CommandButton } from './ui/command-button.tsx'

const { create, edit, remove } = attractionCommands

/** S2.m */
export const attractions = listScreen<Attraction>({
  path: '/attractions',
  title: 'Attractions',
  load: listAttractions,
  record: (attraction) => recordOf(attractionForm, attraction),
  href: (attraction) => attractionHref(attraction.id),
  targets: (attraction) => ({ attraction }),
  commands: [create, edit, remove],
  search: { parameter: 'name', placeholder: 'Search attraction by name...' },
  loading: 'Loading....',
  empty: 'No attractions to display',
  actions: (
    <CommandButton
      command={create}
      targets={{}}
      label="Add attraction"
      record={recordOf(attractionForm, null)}
      opensForm
      kind="primary"
    />
  ),
  columns: [
    {
      ...linkColumn<Row<Attraction>>(
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
    textColumn('Name', 15, ({ name }) => name),
    textColumn('Location', 15, ({ location }) => location?.placeName),
    coordinateColumn('Latitude', ({ lat }) => lat),
    coordinateColumn('Longitude', ({ lng }) => lng),
    {
      id: 'action',
      header: 'Action',
      width: 8.5,
      control: true,
      cell: (attraction) => (
        <CommandButton
          command={remove}
          targets={{ attraction: [attraction] }}
          label="Delete"
          record={recordOf(attractionForm, attraction)}
        />
      ),
    },
  ],
})
