/** Ids are grouped in buckets of 2 ** 12, so that any page is reached by adding up the counts of buckets. */
export const bucketBits = 12
