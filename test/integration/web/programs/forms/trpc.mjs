// A procedure without an input reads the request itself; tRPC reads the body of one that has an input.

import { initTRPC } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { listen } from '../listen.mjs'
import { upload } from './upload.mjs'

const { procedure, router } = initTRPC.context().create()
const routes = router({
  upload: procedure.mutation(async ({ ctx: { request } }) => {
    const response = await upload(request)
    return { status: response.status, body: await response.json() }
  })
})

listen(async (req) => {
  const createContext = () => ({ request: req })
  const response = await fetchRequestHandler({ createContext, endpoint: '', req, router: routes })
  const { result } = await response.json()
  return Response.json(result.data.body, { status: result.data.status })
})
