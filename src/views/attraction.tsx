import type { Attraction } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { attraction as noun } from '../commands/nouns/attraction.ts'
import { coordinate, text } from '../format.ts'
import styles from './attraction.module.css'
import { recordScreen } from './screen.tsx'
import { CommandButton } from './ui/command-button.tsx'

/** S2.n */
export const attraction = recordScreen<Attraction>({
  noun,
  path: '/attractions/:attractionID',
  title: 'Attraction',
  width: 56,
  columns: 2,
  actions: (row) => (
    <CommandButton
      command={noun.edit}
      noun={noun}
      row={row}
      label="Edit attraction"
      opensForm
      kind="primary"
    />
  ),
  body: (row) => <Sight attraction={row} />,
})

function Sight({
  attraction: { name, description, location, lat, lng, image },
}: {
  attraction: Row<Attraction>
}) {
  return (
    <article className={styles.sight}>
      {text(image) && <img src={text(image)} alt={`Cover of ${text(name)}`} />}
      <h2>{text(name)}</h2>
      <p>{text(description)}</p>
      <dl>
        <div>
          <dt>Location</dt>
          <dd>{text(location?.placeName)}</dd>
        </div>
        <div>
          <dt>Lat</dt>
          <dd title={text(lat)}>{coordinate(lat)}</dd>
        </div>
        <div>
          <dt>Lng</dt>
          <dd title={text(lng)}>{coordinate(lng)}</dd>
        </div>
      </dl>
    </article>
  )
}
