import { createContext, useContext } from 'react'

/** True for controls in the grid cell that has the tab stop, and for every control outside a grid. */
export const CellContext = createContext(true)

export const useCellTabIndex = () => (useContext(CellContext) ? 0 : -1)
