import { upload } from './upload.mjs'

export default { fetch: (request) => upload(request) }
