// What the route of each framework does with a form: reads it; with `?before`, when other code has read the body.

import { multipart, toResponse } from '../../../../../lib/web/index.js'

const readForm = multipart({
  files: { f: { size: '1mb' } },
  async store (file) {
    let length = 0
    for await (const chunk of file.stream) length += chunk.length
    return length
  }
})

/**
 * @param {Request} request
 * @param {() => Promise<unknown>} [readOtherwise] how the framework reads a form
 */
export async function upload (request, readOtherwise = () => request.formData()) {
  try {
    if (new URL(request.url).searchParams.has('before')) await readOtherwise()
    const { fields, files: { f: [{ name, value }] } } = await readForm(request)
    return Response.json({ fields, file: [name, value] })
  } catch (error) {
    return toResponse(error)
  }
}
