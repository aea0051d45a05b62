'use strict'

// Forms of /web with the types of one runtime alone: those of browsers and Workers, of Node.js, of Bun, and none.

const assert = require('node:assert/strict')
const { createProject } = require('../support/program')
const { remove, write } = require('../support/project')
const compile = require('../support/typescript')

const PROGRAM = `
import { multipart } from 'fast-body-parser/web'

const readForm = multipart({
  files: { avatar: { max: 1 }, scans: { store: multipart.disk('scans') } },
  async store (file) {
    let length = (await file.peek(4)).length
    for await (const chunk of file) length += chunk.length
    return length
  }
})

type Result = [number | undefined, string | undefined]
export async function handle (request: Parameters<typeof readForm>[0]): Promise<Result> {
  const form = await readForm(request)
  return [form?.files.avatar?.[0]?.value, form?.files.scans?.[0]?.path]
}
// @ts-expect-error
export const wrong: Promise<string | undefined> = readForm({} as never).then((form) => form?.files.avatar?.[0]?.value)
`

/** With what a runtime has: its Request, a ReadableStream, a File and an AbortSignal. */
const OF_RUNTIME = `
import { multipart } from 'fast-body-parser/web'

const inMemory = multipart()
const stored = multipart({
  store: (file, { signal }) => new Response(file.stream).text().then((text) => [text, signal.aborted] as const)
})

export async function handle (request: Request): Promise<[File | undefined, string | undefined, boolean | undefined]> {
  const file = (await inMemory(request))?.files.a?.[0]?.toFile()
  const value = (await stored(request))?.files.a?.[0]?.value
  return [file, value?.[0], value?.[1]]
}
`

const es = ['es2022', 'esnext.disposable']
const SETTINGS = {
  'the lib dom': { lib: [...es, 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] },
  'the types of Node.js': { lib: es, types: ['node'] },
  'the types of Bun': { lib: es, types: ['bun'] }
}

describe('forms of fast-body-parser/web, with', function () {
  this.timeout(120_000) // ms; npm packs

  let folder

  before(async () => {
    folder = await createProject()
    write(folder, { 'package.json': { type: 'module' }, 'program.ts': PROGRAM, 'runtime.ts': OF_RUNTIME })
  })

  after(() => remove(folder))

  for (const [name, settings] of Object.entries(SETTINGS)) {
    it(`${name} alone`, () => {
      const ofAll = { module: 'nodenext', noEmit: true }
      const { errors } = compile(folder, ['program.ts', 'runtime.ts'], { ...ofAll, ...settings })
      assert.deepEqual(errors, [])
    })
  }

  it('no types of a runtime', () => {
    const settings = { module: 'nodenext', noEmit: true, lib: es, types: [] }
    assert.deepEqual(compile(folder, ['program.ts'], settings).errors, [])
    assert.match(compile(folder, ['runtime.ts'], settings).errors.join(), /Cannot find name 'Request'/)
  })
})
