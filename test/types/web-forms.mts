// What forms, records and firstOf of fast-body-parser/web give, exactly. Needs no types of a runtime:
// test/integration/types/libs.js compiles it with those of each.

import web, { firstOf, json, jsonArray, multipart, ndjson, raw, text } from 'fast-body-parser/web'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const same = <A, B> (_: Equal<A, B>) => {}
type Reader = (...args: never[]) => unknown
type ResultOf<Of extends Reader> = Awaited<ReturnType<Of>>
type Files<Of extends Reader> = NonNullable<ResultOf<Of>> extends { files: infer Type } ? Type : never
type Fields<Of extends Reader> = NonNullable<ResultOf<Of>> extends { fields: infer Type } ? Type : never

type Person = { name: string, age: number }
declare const request: web.WebRequest
declare const Person: web.StandardSchema<{ name: string }, Person>

// Without rules, files have the type of the store, under any name
const inMemory = multipart()
same<Files<typeof inMemory>, Record<string, web.MemoryFile[] | undefined>>(true)
same<Fields<typeof inMemory>, Record<string, any>>(true)
const onDisk = multipart({ store: multipart.disk('uploads') })
same<Files<typeof onDisk>, Record<string, web.DiskFile[] | undefined>>(true)
const stored = multipart({ store: (file) => Promise.resolve(file.name) })
same<Files<typeof stored>, Record<string, Array<web.StoredFile<string>> | undefined>>(true)
const noFiles = multipart({ files: false })
same<Files<typeof noFiles>['any'], never[] | undefined>(true)
declare const widely: web.OptionsMultipart
const anyFiles = multipart(widely)
same<Files<typeof anyFiles>['any'], Array<web.MemoryFile | web.DiskFile | web.StoredFile> | undefined>(true)

const streamed = multipart({ store: 'stream', files: { video: { max: 3, size: '2gb' } }, schema: Person })
same<Files<typeof streamed>, AsyncIterable<web.FileStream>>(true)
same<Fields<typeof streamed>, Person>(true)
declare function use (...values: unknown[]): void
export async function readStreamed () {
  const form = await streamed(request)
  // @ts-expect-error
  use(form?.files.video)
  for await (const { field, name, stream, peek } of form?.files ?? []) use(field, name, stream, await peek(4))
  await form?.dispose()
}
// @ts-expect-error
multipart({ store: 'streams' })

// With rules, files have their names, each the type of its own store, or that of the form
const ruled = multipart({
  fields: { max: 20, size: '10kb' },
  files: {
    avatar: {
      min: 1,
      size: '5mb',
      types: ['image/*'],
      filter: ({ name }, { request, fields }) => [name, request, fields]
    },
    scans: { store: multipart.disk('scans', { mode: 0o600, filename: ({ name }, { fields }) => name + fields['a'] }) },
    notes: { store: async (file, { request, fields }) => [request, fields, await file.peek(4)].length },
    small: { store: 'memory' }
  },
  store: async (file) => {
    let length = 0
    for await (const chunk of file) length += chunk.length
    return { length }
  },
  schema: Person
})
same<keyof Files<typeof ruled>, 'avatar' | 'scans' | 'notes' | 'small'>(true)
same<Files<typeof ruled>['avatar'], Array<web.StoredFile<{ length: number }>> | undefined>(true)
same<Files<typeof ruled>['scans'], web.DiskFile[] | undefined>(true)
same<Files<typeof ruled>['notes'], Array<web.StoredFile<number>> | undefined>(true)
same<Files<typeof ruled>['small'], web.MemoryFile[] | undefined>(true)
same<Fields<typeof ruled>, Person>(true)
const withOthers = multipart({ files: { a: { store: () => 5 }, '*': { max: 3 } }, store: multipart.disk('uploads') })
export const others = withOthers(request).then((form) => {
  const [a, other] = [form?.files.a?.[0]?.value, form?.files['b']?.[0]]
  same<typeof a, number | undefined>(true)
  same<typeof other, web.DiskFile | web.StoredFile<number> | undefined>(true)
})
const apart = { files: { a: { max: 1, types: ['image/png'] } }, schema: Person } as const
const ruledApart = multipart(apart)
same<keyof Files<typeof ruledApart>, 'a'>(true)
same<Fields<typeof ruledApart>, Person>(true)

export async function readRuled () {
  const form = await ruled(request)
  // @ts-expect-error may be undefined
  form.files
  if (form === undefined) return
  // @ts-expect-error no rule
  form.files.other
  // @ts-expect-error there may be no file
  form.files.avatar[0]
  // @ts-expect-error a number
  form.files.notes?.[0]?.value.length
  // @ts-expect-error not in memory
  form.files.avatar?.[0]?.bytes
  // @ts-expect-error not stored by a function
  form.files.scans?.[0]?.value
  // @ts-expect-error not in the schema
  form.fields.other
  await form.files.scans?.[0]?.keep()
  await form.files.scans?.[0]?.keep({ href: 'file:///kept' })
  const file = form.files.small?.[0]?.toFile()
  same<typeof file, web.RuntimeFile | undefined>(true)
  await form.dispose()
}

export async function readParts () {
  for await (const part of inMemory.parts(request)) {
    if (part.name === undefined) {
      same<typeof part, web.FieldPart>(true)
      continue
    }
    same<typeof part, web.FilePart>(true)
    for await (const chunk of part) same<typeof chunk, Uint8Array>(true)
  }
  for await (const part of inMemory.parts(request)) { // as docs/web.md has it
    if (part.stream === undefined) same<typeof part, web.FieldPart>(true)
  }
}

// The first reader that fits
const first = firstOf(json({ schema: Person }), ruled, text())
same<ResultOf<typeof first>, Person | ResultOf<typeof ruled> | string>(true)
const nested = firstOf(text(), firstOf(raw()))
same<ResultOf<typeof nested>, string | Uint8Array | undefined>(true)

// Records
const items = jsonArray({ path: '/data/items', schema: Person })(request)
same<typeof items, web.Records<Person>>(true)
const collectedItems = jsonArray({ onError: 'collect', schema: Person })(request)
same<typeof collectedItems, web.Records<web.CollectedItem<Person>>>(true)
const records = ndjson({ schema: Person })(request)
same<typeof records, web.Records<Person>>(true)
export async function readRecords () {
  for await (const list of records.batches(100)) same<typeof list, Person[]>(true)
  for await (const { line, value, error } of ndjson({ onError: 'collect', schema: Person })(request)) {
    same<typeof line, number>(true)
    if (error === undefined) same<typeof value, Person>(true)
    else same<typeof error.status, number>(true)
  }
}
