// A handler of Azure Functions gets an HttpRequest, which is no Request.

import { buffer } from 'node:stream/consumers'
import azure from '@azure/functions'
import { listen } from '../listen.mjs'
import { upload } from './upload.mjs'

listen(async ({ body, headers, method, url }) => {
  const request = { url, method, headers: Object.fromEntries(headers), body: { bytes: await buffer(body) } }
  const response = await upload(new azure.HttpRequest(request))
  return new Response(await response.text(), response)
})
