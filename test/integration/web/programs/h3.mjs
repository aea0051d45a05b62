import { H3, serve } from 'h3'
import { answer } from './answer.mjs'

const app = new H3().all('/**', (event) => answer(event.req))
const server = serve(app, { hostname: '127.0.0.1', port: 0, silent: true })
await server.ready()
console.log(new URL(server.url).port)
