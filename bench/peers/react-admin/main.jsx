import {
  Admin,
  Button,
  DataTable,
  List,
  Resource,
  SearchInput,
  useNotify,
  useRecordContext,
  useRefresh,
} from 'react-admin'
import { createRoot } from 'react-dom/client'
import { lists, textOf } from '../../client/lists.ts'
import { readPage, toggleSuspension } from '../calls.js'

const dataProvider = {
  getList: async (name, { pagination, sort, filter }) => {
    const ordering = (sort.order === 'DESC' ? '-' : '') + sort.field
    const { page, perPage: size } = pagination
    const { results, count } = await readPage({ name, page, size, ordering, s: filter?.q })
    return { data: results, total: count }
  },
}

function Suspend() {
  const driver = useRecordContext()
  const notify = useNotify()
  const refresh = useRefresh()
  const toggle = async () => {
    const { message } = await toggleSuspension(driver)
    notify(message)
    refresh()
  }
  return <Button label={driver.deleted ? 'Unsuspend' : 'Suspend'} onClick={() => void toggle()} />
}

const filters = [<SearchInput key="q" source="q" alwaysOn />]

const listOf = (columns) =>
  function RecordList() {
    return (
      <List perPage={50} sort={{ field: 'id', order: 'DESC' }} filters={filters}>
        <DataTable rowClick={false}>
          {columns.map((column) => (
            <DataTable.Col
              key={column.key}
              source={column.sort ?? column.key}
              label={column.label}
              disableSort={column.sort === undefined}
              align={['count', 'money'].includes(column.kind) ? 'right' : 'left'}
              {...(column.kind === 'suspend'
                ? { children: <Suspend /> }
                : { render: (row) => textOf(row, column) })}
            />
          ))}
        </DataTable>
      </List>
    )
  }

createRoot(document.getElementById('root')).render(
  <Admin dataProvider={dataProvider} disableTelemetry>
    {lists.map(({ name, title, columns }) => (
      <Resource key={name} name={name} options={{ label: title }} list={listOf(columns)} />
    ))}
  </Admin>,
)
