/** Buckets of 2 ** 12 ids. Adding up the counts of the buckets finds the one in which a page begins. */
export const bucketBits = 12
