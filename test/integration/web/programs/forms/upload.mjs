// What the route of each framework does with a form, by the name of the route: reads it, or does so before or after
// other code has read the body.

import { multipart, toResponse } from '../../../../../lib/web/index.js'

const readForm = multipart({
  files: { f: { max: 2, size: '1mb' } },
  async store (file) {
    let length = 0
    for await (const chunk of file.stream) length += chunk.length
    return length
  }
})

export const ROUTES = ['upload', 'before', 'after']

/**
 * @param {string} route one of ROUTES
 * @param {Request} request
 * @param {() => Promise<unknown>} [readOtherwise] how the framework reads a form
 * @returns {Promise<Response>}
 */
export async function upload (route, request, readOtherwise = () => request.formData()) {
  try {
    if (route === 'before') await readOtherwise()
    const form = await readForm(request)
    if (form === undefined) return new Response(null, { status: 415 })
    if (route === 'after') {
      const other = await readOtherwise().then(() => 'read', () => 'an error')
      return Response.json({ other })
    }
    const files = form.files.f ?? []
    return Response.json({ fields: form.fields, files: files.map(({ name, size, value }) => [name, size, value]) })
  } catch (error) {
    return toResponse(error)
  }
}
