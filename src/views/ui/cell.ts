import { createContext, useContext } from 'react'

/** Whether a control stands in the grid cell that has the tab stop; outside a grid every control has its own. */
export const CellContext = createContext(true)

export const useCellTabIndex = () => (useContext(CellContext) ? 0 : -1)
