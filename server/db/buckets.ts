/** Buckets of 2 ** 12 ids. Adding up the counts of the buckets finds the one in which a page begins. */
export const bucketBits = 12

/** The name of the counter of the records in a list that fulfil a term. */
export const termCounter = (table: string, term: string) => `${table}?${term}`
