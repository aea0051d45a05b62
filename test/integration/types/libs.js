'use strict'

// /web with the types of one runtime alone: those of browsers and Workers, of Node.js, of Bun, and none; under the
// oldest and the newest TypeScript. versions.js has those between.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { createProject } = require('../support/program')
const { ROOT, remove, write } = require('../support/project')
const compile = require('../support/tsc')

const PROGRAM = path.join(ROOT, 'test/types/web-forms.mts')

/** The Request, the Response and the File are those of the runtime, none of them `any`. */
const OF_RUNTIME = `
import web, { json, multipart, toResponse } from 'fast-body-parser/web'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const same = <A, B> (_: Equal<A, B>) => {}
same<web.WebRequest, Request>(true)
same<web.WebResponse, Response>(true)
same<web.RuntimeFile, File>(true)
same<web.FileStream['stream'], NonNullable<Request['body']>>(true)
same<web.StoreContext['signal'], Request['signal']>(true)

const inMemory = multipart()
export const copied = multipart({ store: (file) => new Response(file.stream).text() })
const readJson = json({ limit: (request) => request.headers.has('x') ? '5mb' : 5 })
const stored = multipart({
  store: async (file, { request, signal }) => [(await file.peek(4)).length, request.url, signal.aborted] as const
})

export async function handle (request: Request): Promise<Response> {
  try {
    await using form = await stored(request)
    const value: readonly [number, string, boolean] | undefined = form?.files.a?.[0]?.value
    const file: File | undefined = (await inMemory(request))?.files.a?.[0]?.toFile()
    return Response.json([value, file?.name, await readJson(request)])
  } catch (error) {
    return toResponse(error)
  }
}
`

const ES = ['es2022', 'esnext.disposable']
const STRICT = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, noEmit: true }
const [OLDEST, NEWEST] = ['typescript-5.2', 'typescript-7']
const NEWEST_NODE = 'the types of the newest Node.js' // which need TypeScript 5.6
const SETTINGS = {
  'the lib dom': { lib: [...ES, 'dom', 'dom.iterable'], types: [] },
  'the types of Node.js 20': { lib: ES, types: ['node'], typeRoots: [path.join(ROOT, 'node_modules/@types')] },
  [NEWEST_NODE]: { lib: ES, types: ['types-node'] },
  'the types of Bun': { lib: ES, types: ['bun'] }
}

describe('fast-body-parser/web, with', function () {
  this.timeout(120_000) // ms; npm packs

  let folder

  before(async () => {
    folder = await createProject()
    const program = fs.readFileSync(PROGRAM, 'utf8')
    write(folder, { 'web-forms.mts': program, 'runtime.mts': OF_RUNTIME })
  })

  after(() => remove(folder))

  function errorsUnder (version, files, settings) {
    const compilerOptions = { target: 'es2022', module: 'nodenext', ...STRICT, ...settings }
    write(folder, { 'tsconfig.json': { compilerOptions, files } })
    return compile(version, folder)
  }

  for (const [name, settings] of Object.entries(SETTINGS)) {
    for (const version of name === NEWEST_NODE ? [NEWEST] : [OLDEST, NEWEST]) {
      it(`${name} alone, under ${version}`, () => {
        assert.deepEqual(errorsUnder(version, ['web-forms.mts', 'runtime.mts'], settings), [])
      })
    }
  }

  it('no types of a runtime', () => {
    const settings = { lib: ES, types: [] }
    assert.deepEqual(errorsUnder(NEWEST, ['web-forms.mts'], settings), [])
    assert.match(errorsUnder(NEWEST, ['runtime.mts'], settings).join(), /Cannot find name 'Request'/)
  })
})
