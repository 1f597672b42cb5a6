import type { AppOptions } from '../../server/app.ts'
import type { TypedApp } from '../../server/deps.ts'

/** What Fastify compiles: the schema of one part of one route's requests, or of its answers with one status. */
interface Part {
  schema: unknown
  httpPart?: string
  httpStatus?: string
}

let compilers: AppOptions['compilers']

/** Options for a server that reuses the schemas that earlier ones of this process compiled: most of what a start takes. */
export const reuseCompiled = (): Pick<AppOptions, 'compilers'> => (compilers ? { compilers } : {})

/** Lets later servers use the compilers of this one, once it is ready. All servers are built with the same options. */
export function shareCompilers(app: TypedApp): void {
  app.addHook('onReady', (done) => {
    const { validatorCompiler, serializerCompiler } = app
    if (!compilers && validatorCompiler && serializerCompiler)
      compilers = {
        validatorCompiler: remembering(validatorCompiler),
        serializerCompiler: remembering(serializerCompiler),
      }
    done()
  })
}

/** The same compiler, which compiles equal schemas once. */
function remembering<Given extends Part, Compiled>(compile: (part: Given) => Compiled): typeof compile {
  const compiled = new Map<string, Compiled>()
  return (part) => {
    const key = JSON.stringify([part.httpPart, part.httpStatus, part.schema])
    const before = compiled.get(key)
    if (before !== undefined) return before
    const made = compile(part)
    compiled.set(key, made)
    return made
  }
}
