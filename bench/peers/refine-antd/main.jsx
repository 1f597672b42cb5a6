import { ErrorComponent, List, ThemedLayout, useNotificationProvider, useTable } from '@refinedev/antd'
import '@refinedev/antd/dist/reset.css'
import { Refine, useInvalidate } from '@refinedev/core'
import { RefineKbar, RefineKbarProvider } from '@refinedev/kbar'
import routerProvider, {
  DocumentTitleHandler,
  NavigateToResource,
  UnsavedChangesNotifier,
} from '@refinedev/react-router'
import { App as AntdApp, Button, ConfigProvider, Table } from 'antd'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, Outlet, Route, Routes } from 'react-router'
import { api, lists, textOf } from '../../client/lists.ts'
import { readPage, toggleSuspension } from '../calls.js'

const dataProvider = {
  getList: async ({ resource: name, pagination, sorters }) => {
    const [sorter] = sorters ?? []
    const ordering = sorter && (sorter.order === 'desc' ? '-' : '') + sorter.field
    const { currentPage: page = 1, pageSize: size = 50 } = pagination ?? {}
    const { results, count } = await readPage({ name, page, size, ordering })
    return { data: results, total: count }
  },
  getApiUrl: () => api,
}

function Suspend({ driver }) {
  const invalidate = useInvalidate()
  const toggle = async () => {
    await toggleSuspension(driver)
    await invalidate({ resource: 'drivers', invalidates: ['list'] })
  }
  return (
    <Button size="small" onClick={() => void toggle()}>
      {driver.deleted ? 'Unsuspend' : 'Suspend'}
    </Button>
  )
}

function RecordList({ name, columns }) {
  const { tableProps } = useTable({ resource: name, syncWithLocation: true, pagination: { pageSize: 50 } })
  return (
    <List>
      <Table {...tableProps} rowKey="id" scroll={{ x: true }}>
        {columns.map((column) => (
          <Table.Column
            key={column.key}
            title={column.label}
            dataIndex={column.sort}
            sorter={column.sort !== undefined}
            align={['count', 'money'].includes(column.kind) ? 'right' : 'left'}
            render={(_, row) => (column.kind === 'suspend' ? <Suspend driver={row} /> : textOf(row, column))}
          />
        ))}
      </Table>
    </List>
  )
}

createRoot(document.getElementById('root')).render(
  <BrowserRouter>
    <RefineKbarProvider>
      <ConfigProvider>
        <AntdApp>
          <Refine
            dataProvider={dataProvider}
            routerProvider={routerProvider}
            notificationProvider={useNotificationProvider}
            resources={lists.map(({ name, title }) => ({ name, list: `/${name}`, meta: { label: title } }))}
            options={{ syncWithLocation: true, warnWhenUnsavedChanges: true, disableTelemetry: true }}
          >
            <Routes>
              <Route
                element={
                  <ThemedLayout>
                    <Outlet />
                  </ThemedLayout>
                }
              >
                <Route index element={<NavigateToResource resource="drivers" />} />
                {lists.map(({ name, columns }) => (
                  <Route
                    key={name}
                    path={`/${name}`}
                    element={<RecordList key={name} name={name} columns={columns} />}
                  />
                ))}
                <Route path="*" element={<ErrorComponent />} />
              </Route>
            </Routes>
            <RefineKbar />
            <UnsavedChangesNotifier />
            <DocumentTitleHandler />
          </Refine>
        </AntdApp>
      </ConfigProvider>
    </RefineKbarProvider>
  </BrowserRouter>,
)
