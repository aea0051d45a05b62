// A resource route of React Router's framework mode: the build that its compiler would make, with an action alone.

import { serve } from '@hono/node-server'
import { createRequestHandler } from 'react-router'
import { ROUTES, upload } from './upload.mjs'

const routeOf = (path) => ({ id: path, path, module: { action: ({ request }) => upload(path, request) } })
const build = {
  assets: { entry: { imports: [], module: '' }, routes: {}, url: '', version: '1' },
  assetsBuildDirectory: '',
  entry: { module: { default: () => new Response() } },
  future: {},
  isSpaMode: false,
  prerender: [],
  publicPath: '/',
  routeDiscovery: { mode: 'initial' },
  routes: Object.fromEntries(ROUTES.map((path) => [path, routeOf(path)])),
  ssr: true
}
const fetch = createRequestHandler(build, 'production')
serve({ fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(port))
