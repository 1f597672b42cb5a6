import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isIP } from 'node:net'
import { HttpError } from './http-error.ts'

/** Whether a host name or address is a loopback one. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/**
 * The name in a Host header, in lower case, without port, brackets and final dot; blank if the header is missing or
 * invalid.
 */
export function nameOfHost(header: string | undefined): string {
  const [, address, name = ''] = /^(?:\[([\da-f:.]+)\]|([^\s:/?#@[\]]+))(?::\d+)?$/i.exec(header ?? '') ?? []
  return (address ?? name).toLowerCase().replace(/\.$/, '')
}

/**
 * `::ffff:10.0.0.1` becomes 10.0.0.1: a dual-stack socket reports IPv4 addresses in that form. A port is left out, which some
 * proxies add in X-Forwarded-For, and which is another one for each connection.
 */
export function plainAddress(address: string): string {
  const [, inBrackets, version4] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d+)?$/i.exec(address) ?? []
  return (inBrackets ?? version4 ?? address).replace(/^::ffff:(?=[\d.]+$)/i, '')
}

/**
 * Protects against DNS rebinding, where a foreign site lets its own host name point to this machine. Accepted Host headers
 * are the loopback names, the local address of the connection, HOST, and the names in OMS_HOSTS. Throws HttpError 421 for
 * any other. Routes with `anyHost` (health checks) accept every name.
 */
export function refuseUnknownHosts(
  app: FastifyInstance,
  { host, hosts }: { host: string; hosts: readonly string[] },
): void {
  const named = new Set([host, ...hosts].map((name) => name.toLowerCase()))
  app.addHook('onRequest', (request, _reply, done) => {
    const name = nameOfHost(request.host)
    const own = plainAddress(request.socket.localAddress ?? '')
    const isKnown = isLoopback(name) || named.has(name) || (name !== '' && name === own)
    if (request.routeOptions.config.anyHost || isKnown) done()
    else
      done(
        new HttpError(
          421,
          `The host name "${name}" is not accepted. OMS_HOSTS lists the accepted host names.`,
        ),
      )
  })
}

const forwarded =
  /^(forwarded|via|x-forwarded(-.*)?|x-real-ip|x-original-.*|x-client-ip|true-client-ip|cf-.*)$/

/**
 * Whether a request comes from a program on this machine and not from a proxy on it that forwards requests of others. Most
 * proxies add a header; nginx before 1.29.7 adds none but uses HTTP/1.0; a browser behind a proxy sends another origin. A
 * proxy that adds nothing and uses HTTP/1.1 cannot be recognised.
 */
export function isFromThisMachine({ socket, headers, raw }: FastifyRequest): boolean {
  return (
    isLoopback(plainAddress(socket.remoteAddress ?? '')) &&
    isLoopback(nameOfHost(headers.host)) &&
    raw.httpVersion === '1.1' &&
    !Object.keys(headers).some((name) => forwarded.test(name)) &&
    (headers.origin === undefined || isLoopback(nameOfHost(headers.origin.replace(/^https?:\/\//, ''))))
  )
}

/** An address, a network like 10.0.0.0/8, or `loopback`. */
export function isNetwork(text: string): boolean {
  if (text === 'loopback') return true
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (!version || rest.length) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (version === 4 ? 32 : 128)
}
