import { upload } from './upload.mjs'

export default { fetch: (request) => upload(new URL(request.url).pathname.slice(1), request) }
