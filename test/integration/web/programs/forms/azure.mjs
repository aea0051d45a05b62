// A handler of Azure Functions gets an HttpRequest, which is no Request.

import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import azure from '@azure/functions'
import { upload } from './upload.mjs'

const server = createServer(async (req, res) => {
  const { headers, method, url } = req
  const body = { bytes: await buffer(req) }
  const request = new azure.HttpRequest({ url: `http://localhost${url}`, method, headers, body })
  const response = await upload(url.slice(1), request)
  res.writeHead(response.status).end(await response.text())
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
