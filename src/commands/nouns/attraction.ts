import { placeOf } from '../../api/place.ts'
import type { Attraction } from '../../api/contract.ts'
import { coordinate, numberOf, text } from '../../format.ts'
import { writtenNoun } from '../written.ts'

const path = '/attractions'
const updated = 'Attraction updated successfully'

export const attractionHref = (id: unknown) => text(id) && `${path}/${encodeURIComponent(text(id))}`

/** S2.m, S2.n.3 to S2.n.5 */
export const attraction = writtenNoun<Attraction>({
  name: 'attraction',
  singular: 'attraction',
  plural: 'attractions',
  words: ['sight', 'sights', 'place', 'places', 'destination', 'kivutio', 'vivutio'],
  path,
  calls: {
    collection: 'attractions',
    list: 'attractions/all/',
    filters: ['s', 'name'], // S7.17
    one: 'attractions/all/{id}/',
    create: 'attraction/create/oms/',
    update: 'attractions/all/{id}/',
  },
  nameOf: (row) => text(row.name) || text(row.id),
  href: (row) => attractionHref(row.id),
  search: { parameter: 'name', placeholder: 'Search attraction by name...' },
  form: {
    noun: 'attraction',
    title: (record) => (record ? 'Edit attraction' : 'Add attraction'),
    fields: () => [
      { name: 'name', label: 'Name', kind: 'text' },
      { name: 'description', label: 'Description', kind: 'textarea', rows: 4 },
      { name: 'location', label: 'Location', kind: 'place' },
      { name: 'image', label: 'Cover photo', kind: 'image', folder: 'files', isEager: false, isKept: true },
    ],
    values: (record) => ({
      name: text(record?.name),
      description: text(record?.description),
      location: placeOf({
        placeName: record?.location?.placeName,
        lat: numberOf(record?.lat) ?? record?.location?.lat,
        lng: numberOf(record?.lng) ?? record?.location?.lng,
      }),
      image: text(record?.image),
    }),
    nameOf: ({ name }) => text(name),
    fieldsOf: ({ name, description, location, image }, record) => {
      const place = placeOf(location)
      return {
        name,
        description,
        location: { placeName: place?.placeName ?? '', lat: place?.lat, lng: place?.lng },
        // S3.11, S9.5: strings with 6 decimals.
        lat: coordinate(place?.lat),
        lng: coordinate(place?.lng),
        image: image || text(record?.image), // S7.20: without a new image the existing one is kept.
      }
    },
    button: { ready: 'Save', sending: 'Saving...', uploading: 'Uploading image...' },
    closes: 'afterMessage',
    closesOnBackdrop: true,
  },
  toasts: {
    // S8.7
    create: 'Attraction added successfully',
    update: updated,
    delete: 'Attraction deleted successfully',
    restore: updated,
    failed: 'Error occured during upload', // S8.6: one text for every failure
  },
})
