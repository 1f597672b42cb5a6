/**
 * The most values of a statement that is kept prepared: as many as a page of the usual size has rows, and some. Lists of each length
 * would be statements of their own.
 */
export const mostValues = 60
