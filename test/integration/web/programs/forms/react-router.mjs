// A resource route of React Router's framework mode: the build that its compiler would make, with an action alone.

import { createRequestHandler } from 'react-router'
import { listen } from '../listen.mjs'
import { upload } from './upload.mjs'

const route = { id: 'upload', path: 'upload', module: { action: ({ request }) => upload(request) } }
const build = {
  assets: { entry: { imports: [], module: '' }, routes: {}, url: '', version: '1' },
  assetsBuildDirectory: '',
  entry: { module: { default: () => new Response() } },
  future: {},
  isSpaMode: false,
  prerender: [],
  publicPath: '/',
  routeDiscovery: { mode: 'initial' },
  routes: { upload: route },
  ssr: true
}
listen(createRequestHandler(build, 'production'))
