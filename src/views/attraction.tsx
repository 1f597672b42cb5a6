import { useSetAtom } from 'jotai'
import { ArrowLeft } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useParams } from 'wouter'
import { readAttraction } from '../api/attractions.ts'
import type { Attraction } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { attractionCommands, attractionForm } from '../commands/attractions.ts'
import { targetsAtom } from '../commands/context.ts'
import { recordOf } from '../commands/form.ts'
import { coordinate, text } from '../format.ts'
import styles from './attraction.module.css'
import type { Screen } from './screen.tsx'
import { CommandButton } from './ui/command-button.tsx'
import { Retry } from './ui/retry.tsx'
import { ScreenHeader } from './ui/screen-header.tsx'
import { Skeleton } from './ui/skeleton.tsx'
import { useLoad } from './ui/use-load.ts'

const { edit, remove } = attractionCommands

/** S2.n */
export const attraction: Screen = {
  path: '/attractions/:attractionID',
  title: 'Attraction',
  commands: [edit, remove],
  View: AttractionView,
}

function AttractionView() {
  const { attractionID } = useParams<{ attractionID: string }>()
  const setTargets = useSetAtom(targetsAtom)
  const { data, isFailed, isFetching, retry } = useLoad({
    queryKey: ['/attractions', 'detail', attractionID],
    queryFn: ({ signal }) => readAttraction(attractionID, signal),
  })
  useEffect(() => {
    setTargets(data ? { attraction: [data] } : {})
    return () => setTargets({})
  }, [data, setTargets])
  return (
    <div className={styles.attraction} data-stale={isFailed && data !== undefined}>
      <ScreenHeader
        title="Attraction"
        back={
          <Link href="/attractions" className="button">
            <ArrowLeft size={16} aria-hidden /> Back
          </Link>
        }
      >
        {data && (
          <CommandButton
            command={edit}
            targets={{ attraction: [data] }}
            label="Edit attraction"
            record={recordOf(attractionForm, data)}
            opensForm
            kind="primary"
          />
        )}
      </ScreenHeader>
      {isFailed && <Retry busy={isFetching} retry={retry} />}
      {!data && !isFailed && <Skeleton columns={2} />}
      {data && <Sight attraction={data} />}
    </div>
  )
}

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
