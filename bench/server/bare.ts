import { createServer } from 'node:http'

/** Answers every request with the text of BODY: what Node can do at most. */
const body = Buffer.from(process.env['BODY'] ?? '')
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
}).listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${String(typeof address === 'object' ? address?.port : 0)} `)
})
