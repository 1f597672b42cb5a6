import * as React from 'react'

// Lets React take no stack of the code that creates an element. It takes up to 10,000 in a second for its warnings, which
// took a sixth of the time of the tests. A warning then does not say which component created the element.
const internals: unknown = Reflect.get(
  React,
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
)
// Without them, as in another version of React, the tests are only slower.
if (typeof internals === 'object' && internals !== null)
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 1e9, set: () => undefined })
