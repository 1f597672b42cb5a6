import { join } from 'node:path'
import type { Page } from './target.ts'

const repository = join(import.meta.dirname, '..', '..')
const peer = (name: string) => join(repository, 'bench', 'peers', name)
const cmdk = { input: '[cmdk-input]', item: '[cmdk-item]' }

/** All pages that can be compared. The tables show them in this order. */
export const pages: readonly Page[] = [
  {
    name: 'product',
    title: 'Twende OMS',
    kind: 'product',
    folder: repository,
    drivers: (rows) => (rows === 50 ? '/riders' : `/riders?size=${String(rows)}`),
    row: 'tr[data-index]',
    scroller: null,
    link: ({ name }) => `nav a[href="/${name === 'drivers' ? 'riders' : name}"]`,
    palette: cmdk,
  },
  {
    name: 'bare',
    title: 'bare React page',
    kind: 'limit',
    folder: join(import.meta.dirname, 'bare'),
    drivers: (rows) => `/drivers?size=${String(rows)}`,
    row: '.row',
    scroller: null,
    link: ({ name }) => `nav a[href="/${name}"]`,
    palette: cmdk,
  },
  {
    name: 'react-admin',
    title: 'react-admin',
    kind: 'peer',
    folder: peer('react-admin'),
    drivers: (rows) =>
      `/#/drivers?page=1&perPage=${String(rows)}&sort=id&order=DESC&filter=%7B%7D&displayedFilters=%7B%7D`,
    row: 'tr.RaDataTable-row',
    scroller: null,
    link: ({ name }) => `a[href="#/${name}"]`,
    // Its palette is part of the paid edition.
    palette: null,
  },
  {
    name: 'refine-antd',
    title: 'Refine with antd',
    kind: 'peer',
    folder: peer('refine-antd'),
    drivers: (rows) => `/drivers?currentPage=1&pageSize=${String(rows)}`,
    row: 'tr.ant-table-row',
    scroller: null,
    link: ({ name }) => `.ant-menu a[href="/${name}"]`,
    palette: { input: 'input[placeholder^="Type a command"]', item: '#kbar-listbox [role=option]' },
  },
  {
    name: 'ag-grid',
    title: 'AG Grid',
    kind: 'peer',
    folder: peer('ag-grid'),
    drivers: (rows) => `/drivers?size=${String(rows)}`,
    row: '.ag-grid-scrolling-container > .ag-row',
    scroller: '.ag-grid-viewport',
    link: ({ name }) => `nav a[href="/${name}"]`,
    palette: cmdk,
  },
]
