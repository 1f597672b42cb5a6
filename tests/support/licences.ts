import { isAllowed, productionPackages } from './packages.ts'

/** `npm run licences`: lists the production packages with their licences. Fails if one is not in the list of allowed ones. */
const packages = productionPackages()
for (const { name, version, licence } of packages)
  process.stdout.write(`${name} ${version}: ${licence || 'no licence'}\n`)
const refused = packages.filter((one) => !isAllowed(one))
for (const { name, licence } of refused)
  process.stderr.write(
    `The licence of ${name}, "${licence}", is not in the list of allowed ones in tests/support/packages.ts.\n`,
  )
if (refused.length > 0) process.exitCode = 1
