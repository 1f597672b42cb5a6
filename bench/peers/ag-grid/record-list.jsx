import {
  CellStyleModule,
  ClientSideRowModelModule,
  ColumnAutoSizeModule,
  ModuleRegistry,
  RowSelectionModule,
  TextFilterModule,
} from 'ag-grid-community'
import { AgGridReact } from 'ag-grid-react'
import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { textOf } from '../../client/lists.ts'
import { readPage, toggleSuspension } from '../calls.js'

ModuleRegistry.registerModules([
  ClientSideRowModelModule,
  TextFilterModule,
  RowSelectionModule,
  CellStyleModule,
  ColumnAutoSizeModule,
])

const defaultColDef = { sortable: true, resizable: true, flex: 1, minWidth: 90 }

const Suspend = ({ data, value }) => <button onClick={() => void toggleSuspension(data)}>{value}</button>

export function RecordList({ list: { name, title, columns } }) {
  const [parameters] = useSearchParams()
  const page = parameters.get('page') ?? 1
  const size = parameters.get('size') ?? 50
  const [answer, setAnswer] = useState(null)
  useEffect(() => {
    let isShown = true
    void readPage({ name, page, size }).then((answered) => isShown && setAnswer(answered))
    return () => {
      isShown = false
    }
  }, [name, page, size])
  const columnDefs = useMemo(
    () =>
      columns.map((column) => ({
        colId: column.key,
        headerName: column.label,
        valueGetter: ({ data }) => textOf(data, column),
        ...(column.kind === 'suspend' && { cellRenderer: Suspend }),
      })),
    [columns],
  )
  return (
    <>
      <h2>{title}</h2>
      <div className="grid">
        <AgGridReact
          rowData={answer?.results}
          columnDefs={columnDefs}
          defaultColDef={defaultColDef}
          getRowId={({ data }) => String(data.id)}
        />
      </div>
      <p>
        Page {answer?.current_page_number} / {answer?.total_pages}
      </p>
    </>
  )
}
