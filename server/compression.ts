import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/**
 * For the options of routes whose answers are compressed: lists, which are large and hold no secret. An answer with a
 * secret beside text of the request would tell the secret by its compressed size (BREACH).
 */
export const compressed = {
  // Bytes: below that, compression costs more time than it saves.
  compress: { threshold: 1024 },
}

/** Compresses the answers of the routes that ask for it, for clients that accept it. */
export async function registerCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    global: false,
    encodings: ['br', 'gzip'],
    // Compresses 1,000 rows in a few milliseconds; the default takes hundreds.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
}
