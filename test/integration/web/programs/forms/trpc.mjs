// A procedure without an input reads the request itself; tRPC reads the body of one that has an input.

import { serve } from '@hono/node-server'
import { initTRPC } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { ROUTES, upload } from './upload.mjs'

const { procedure, router } = initTRPC.context().create()
const mutationOf = (route) => procedure.mutation(async ({ ctx: { request } }) => {
  const response = await upload(route, request)
  return { status: response.status, body: await response.json() }
})
const routes = router(Object.fromEntries(ROUTES.map((route) => [route, mutationOf(route)])))

async function fetch (req) {
  const createContext = () => ({ request: req })
  const response = await fetchRequestHandler({ createContext, endpoint: '', req, router: routes })
  const { result } = await response.json()
  return Response.json(result.data.body, { status: result.data.status })
}
serve({ fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(port))
