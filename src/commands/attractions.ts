import { createAttraction, updateAttraction } from '../api/attractions.ts'
import { placeOf } from '../api/places.ts'
import { coordinate, numberOf, text } from '../format.ts'
import { navigate } from '../state/location.ts'
import type { Records } from './command.ts'
import type { Form } from './form.ts'
import { writtenCommands } from './written.ts'

type Attraction = Records['attraction']

/** S8.6, whatever failed */
const failed = 'Error occured during upload'
const updated = 'Attraction updated successfully' // S8.7

export const attractionHref = (id: unknown) => text(id) && `/attractions/${encodeURIComponent(text(id))}`

/** S2.n.3 to S2.n.5 */
export const attractionForm = {
  noun: 'attraction',
  path: '/attractions',
  title: (attraction) => (attraction ? 'Edit attraction' : 'Add attraction'),
  fields: () => [
    { name: 'name', label: 'Name', kind: 'text' },
    { name: 'description', label: 'Description', kind: 'textarea' },
    { name: 'location', label: 'Location', kind: 'place' },
    { name: 'image', label: 'Cover photo', kind: 'image', folder: 'files', isEager: false },
  ],
  values: (attraction) => ({
    name: text(attraction?.name),
    description: text(attraction?.description),
    location: placeOf({
      placeName: attraction?.location?.placeName,
      lat: numberOf(attraction?.lat) ?? attraction?.location?.lat,
      lng: numberOf(attraction?.lng) ?? attraction?.location?.lng,
    }),
    image: text(attraction?.image),
  }),
  nameOf: ({ name }) => text(name),
  save: ({ name, description, location, image }, attraction, key) => {
    const place = placeOf(location)
    // S3.11, S9.5: strings with 6 decimals.
    const [lat, lng] = [coordinate(place?.lat), coordinate(place?.lng)]
    const fields = {
      name,
      description,
      location: { placeName: place?.placeName ?? '', lat: place?.lat, lng: place?.lng },
      lat,
      lng,
      image: image || text(attraction?.image), // S7.20: the existing one is kept if none is uploaded.
    }
    return attraction
      ? updateAttraction(text(attraction.id), { ...fields, version: attraction.version }, key)
      : createAttraction(fields, key)
  },
  button: { ready: 'Save', sending: 'Saving...', uploading: 'Uploading image...' },
  closes: 'afterMessage',
  closesOnBackdrop: true,
  succeeded: (attraction) => (attraction ? updated : 'Attraction added successfully'), // S8.7
  failed,
} satisfies Form<Attraction>

export const attractionCommands = writtenCommands({
  form: attractionForm,
  what: 'attraction',
  nameOf: (attraction) => text(attraction.name) || text(attraction.id),
  update: updateAttraction,
  toasts: { deleted: 'Attraction deleted successfully', restored: updated, failed },
  deleted: ({ path }) => {
    if (path !== attractionForm.path) navigate(attractionForm.path)
  },
})
