import AjvCompiler from '@fastify/ajv-compiler'
import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'

/** What Fastify compiles schemas with: those of requests, and those of answers. */
export interface Compilers {
  validatorCompiler: FastifySchemaCompiler<unknown>
  serializerCompiler: FastifySerializerCompiler<unknown>
}

/**
 * Fastify's own compilers, but each schema is compiled when it is first used: compiling all of them took a fifth of a start.
 * A schema that cannot be compiled throws at its first use.
 */
export function lateCompilers(): Compilers {
  const validators = AjvCompiler()(
    {},
    {
      customOptions: {
        removeAdditional: false,
        coerceTypes: false,
        allErrors: true,
        // 0.29 and 4.35 are not exact multiples of 0.01 in binary floating point.
        multipleOfPrecision: 5,
      },
    },
  )
  const serializers = SerializerSelector()()
  return {
    validatorCompiler: (part) => {
      const compiled = once(() => validators(part))
      const validate: ReturnType<FastifySchemaCompiler<unknown>> = (data: unknown) => {
        // No schema is asynchronous.
        const isValid = compiled()(data) === true
        validate.errors = compiled().errors ?? null
        return isValid
      }
      return validate
    },
    serializerCompiler: ({ httpStatus = '', ...part }) => {
      const compiled = once(() => serializers({ ...part, httpStatus }))
      return (answer) => compiled()(answer)
    },
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
