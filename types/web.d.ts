// Needs none of Node's types. Without a type Request, takes what the parsers use of one.

import shared = require('./shared.js')

declare namespace web {
  interface RequestLike {
    readonly body: object | null
    readonly bodyUsed: boolean
    readonly headers: { get (name: string): string | null, has (name: string): boolean }
  }

  type WebRequest = typeof globalThis extends { Request: { prototype: infer Type extends RequestLike } } ? Type : RequestLike

  /** That of the request: aborted when its client leaves. */
  type Signal = WebRequest extends { signal: infer Type } ? Type : unknown

  /**
   * Gives the body; undefined if there is none, or if it is of another type.
   * Called twice for a request, it gives the same promise. Rejected with an
   * error that has a `status` and a `type`.
   */
  type Reader<Body = any> = (request: WebRequest) => Promise<Body>

  /** Made by `createBudget`, here or by that of fast-body-parser. */
  type Budget = shared.Budget
  type OptionsBudget = shared.OptionsBudget

  type StandardSchema<Input = unknown, Output = Input> = shared.StandardSchema<Input, Output>
  type WithSchema<Of extends object, Schema> = shared.WithSchema<Of, Schema>

  /** The type of what a schema gives; any if it does not tell. */
  type OutputOf<Schema extends StandardSchema, Output = NonNullable<Schema['~standard']['types']>['output']> = unknown extends Output ? any : Output

  /** With a schema, what that gives; else what the parser itself gives. */
  type ReaderOf<Body, Schema> = Reader<Schema extends StandardSchema ? OutputOf<Schema> : Body>

  /** The options of the middleware of that name, as far as they make sense here. A function reads them once, when it is created. */
  interface Options extends shared.Options {
    /**
     * Most bytes of a body, after decompression. A number of bytes, a string
     * with a unit, which is a power of 1024 (`'1.5mb'`), or a function of the
     * request that returns either. A larger body is a 413 (`entity.too.large`).
     *
     * @default '100kb' (102,400 bytes)
     */
    limit?: number | string | ((request: WebRequest) => number | string) | undefined
    /**
     * Which bodies to parse: a media type, a pattern (`text/*`, `+json`), a list
     * of these, or a function. No extension names.
     *
     * @default `application/json` (json), `application/octet-stream` (raw),
     *   `text/plain` (text), `application/x-www-form-urlencoded` (urlencoded)
     */
    type?: string | readonly string[] | ((request: WebRequest) => any) | undefined
    /**
     * Called with the bytes before they are parsed; there is no response. To
     * refuse the body, throw, or return a promise that rejects: a 403
     * (`entity.verify.failed`), or the error's own `status` and `type`.
     *
     * @default none
     */
    verify?(request: WebRequest, response: undefined, bytes: Uint8Array, encoding: string): unknown
  }

  interface OptionsJson extends Options, shared.OptionsJsonDepth, shared.WithReviver {}
  interface OptionsJsonWithoutReviver extends Options, shared.OptionsJsonDepth, shared.WithoutReviver {}
  interface OptionsJsonParse extends Options, shared.OptionsJsonParse<WebRequest, Signal> {}

  interface OptionsRaw extends Options {
    /**
     * As in the other parsers, but bytes have no charset: `encoding` is null.
     *
     * @default none
     */
    verify?(request: WebRequest, response: undefined, bytes: Uint8Array, encoding: string | null): unknown
  }

  interface OptionsText extends Options, shared.OptionsText {}

  interface OptionsUrlencoded extends Options, shared.OptionsUrlencoded {}
  interface OptionsUrlencodedParse extends Options, shared.OptionsUrlencodedParse<WebRequest, Signal> {}
  type OptionsUrlencodedQs = shared.OptionsUrlencodedQs
  type OptionsQs = shared.OptionsQs

  type Records<Item = any> = shared.Records<Item>
  type CollectedRecord<Value = any> = shared.CollectedRecord<Value>

  interface OptionsNdjsonCommon<OnError extends 'stop' | 'collect'> extends Omit<Options, 'limit' | 'schema' | 'type' | 'verify'>, shared.OptionsNdjson<OnError> {
    /**
     * Most bytes of a body, after decompression. Beyond, it is a 413
     * (`entity.too.large`).
     *
     * @default '100mb' (104,857,600 bytes)
     */
    limit?: Options['limit']
    /**
     * Which bodies to parse; another one is a 415 (`media.type.unsupported`).
     *
     * @default `application/x-ndjson`, `application/ndjson`, `application/jsonl`,
     *   `application/x-jsonl`, `text/jsonl`, `application/jsonlines`,
     *   `application/x-jsonlines` and `application/json-seq`
     */
    type?: Options['type']
  }

  type OptionsNdjson<OnError extends 'stop' | 'collect' = 'stop' | 'collect'> = OptionsNdjsonCommon<OnError> & (shared.WithReviver | shared.WithoutReviver)

  type CollectedItem<Value = any> = shared.CollectedItem<Value>

  interface OptionsJsonArrayCommon<OnError extends 'stop' | 'collect'> extends Omit<OptionsNdjsonCommon<OnError>, keyof shared.OptionsNdjson<OnError> | 'type'>, shared.OptionsJsonArray<OnError> {
    /**
     * Which bodies to parse; another one is a 415 (`media.type.unsupported`).
     *
     * @default `application/json` and `+json`
     */
    type?: Options['type']
  }

  type OptionsJsonArray<OnError extends 'stop' | 'collect' = 'stop' | 'collect'> = OptionsJsonArrayCommon<OnError> & (shared.WithReviver | shared.WithoutReviver)

  /** A reader of any kind. */
  type AnyReader = (request: WebRequest) => unknown

  /** What the first reader that fits gives. */
  type FirstOf<Readers extends readonly AnyReader[]> = Reader<Awaited<ReturnType<Readers[number]>>>

  /** That of the runtime. Bun declares no prototype of its constructor. */
  type WebResponse = typeof globalThis extends { Response: new (...args: never[]) => infer Type } ? Type : unknown

  interface OptionsToResponse {
    /**
     * What the `type` of an error is put behind, to be the URI of the problem type.
     *
     * @default none: `about:blank`
     */
    base?: string | undefined
  }

  type ValueOf<Schema> = Schema extends StandardSchema ? OutputOf<Schema> : any

  /** That of a request's body; chunks alone where the types of a runtime are not loaded. */
  type ByteStream = typeof globalThis extends { Request: { prototype: { readonly body: infer Body } } } ? NonNullable<Body> : AsyncIterable<Uint8Array>

  /** That of the runtime. */
  type RuntimeFile = typeof globalThis extends { File: { prototype: infer Type } } ? Type : object

  /** What the header of a file says. */
  interface IncomingFile {
    /** Name of the form field. */
    readonly field: string
    /**
     * As the client calls the file: the last segment of a path, without control
     * characters; empty if there is none. Not to be used as a path.
     */
    readonly name: string
    /** The folder of the file, if the client sends its path; else empty. Not to be used as a path. */
    readonly folder: string
    /** Media type in lower case, as the client declares it; or that of option `detect`. */
    readonly type: string
    /** As the client declares it, if `detect` is given. */
    readonly declaredType?: string
  }

  /** A file while it is received. To be read before its store has ended, or before the next part is asked for. */
  interface FileStream extends IncomingFile, AsyncIterable<Uint8Array> {
    /** In hex, at the end, if option `digest` is given. */
    readonly digest?: string
    /** Of chunks of bytes. While it is not read, the client has to wait. */
    readonly stream: ByteStream
    /**
     * The first bytes, which stay in the stream: 1 to 65,536 of them, or fewer
     * if the file is shorter. To be called before anything is read.
     */
    peek (size: number): Promise<Uint8Array>
  }

  /** A file of a form, and what its store adds. */
  interface FormFile extends IncomingFile {
    /** In bytes. */
    readonly size: number
    /** In hex, if option `digest` is given. */
    readonly digest?: string
  }

  interface MemoryFile extends FormFile {
    readonly bytes: Uint8Array
    /** As `request.formData()` gives it. */
    toFile (): RuntimeFile
  }

  interface DiskFile extends FormFile {
    readonly path: string
    /**
     * Moves the file, so that `dispose` does not remove it, to a path or a
     * `file:` URL; without one, lets it stay where it is.
     */
    keep (path?: string | { readonly href: string }): Promise<void>
  }

  interface StoredFile<Value = any> extends FormFile {
    /** What the store has returned. */
    readonly value: Value
  }

  interface StoreContext {
    request: WebRequest
    /** The fields that came before the file. */
    fields: Record<string, string | string[]>
    /** Aborted when the form fails. */
    signal: Signal
  }

  /** Stores a file. The form fails with the error that it throws. */
  type Store<Value = any> = (file: FileStream, context: StoreContext) => Value | Promise<Value>

  /** Made by `multipart.disk`. */
  interface DiskStore {
    /** Absolute path. */
    readonly directory: string
  }

  interface OptionsDisk {
    /** Chooses the name of a file in the directory. @default a random name */
    filename?: ((file: IncomingFile, context: StoreContext) => string | Promise<string>) | undefined
    /** Mode of the files that are created. @default 0o600: for their owner alone */
    mode?: number | undefined
  }

  type OptionsFiles = shared.OptionsFiles<IncomingFile, StoreContext, DiskStore | Store>

  type FormType = 'multipart/form-data'

  interface OptionsMultipart extends Omit<Options, 'limit' | 'type' | 'verify'>, shared.OptionsForms<IncomingFile, StoreContext, DiskStore | Store> {
    /**
     * Most bytes of a form, after decompression, or a function of the request
     * that returns them. Beyond, it is a 413 (`entity.too.large`).
     *
     * @default '1mb' (1,048,576 bytes), and what was given besides: `max` times
     *   `size` of the rules of `files`, but at most `total`, and that of `fields`
     */
    limit?: Options['limit']
    /**
     * Which requests to read: forms alone, or those for which a function of the
     * request returns a truthy value.
     *
     * @default 'multipart/form-data', and every multipart type for `parts`
     */
    type?: FormType | readonly FormType[] | ((request: WebRequest) => any) | undefined
    verify?: undefined
  }

  type AsyncDispose = typeof globalThis extends { Symbol: { readonly asyncDispose: infer Key extends symbol } } ? { [Name in Key]: () => Promise<void> } : unknown

  type Rules = Record<string, OptionsFiles>

  /** What a store gives of a file. */
  type FileOf<OptionStore> = OptionStore extends DiskStore ? DiskFile : OptionStore extends (...args: never[]) => infer Value ? StoredFile<Awaited<Value>> : MemoryFile

  /** A rule may have a store of its own. */
  type FileOfRule<Rule, OptionStore> = Rule extends { store: infer Own } ? FileOf<Own> : FileOf<OptionStore>

  type NamedFiles<Files extends Rules, OptionStore> = { [Name in Exclude<keyof Files, '*'>]?: Array<FileOfRule<Files[Name], OptionStore>> }
  type OtherFiles<File> = Record<string, File[] | undefined>

  /** Name of the field -> its files: the names of the rules; any other one if there is a rule `*`. */
  type FilesOf<Files, OptionStore> = AnyFiles extends Files ? OtherFiles<FileOf<OptionStore>> : Files extends Rules
    ? NamedFiles<Files, OptionStore> & ('*' extends keyof Files ? OtherFiles<FileOfRule<Files[keyof Files], OptionStore>> : unknown)
    : Files extends false ? OtherFiles<never> : OtherFiles<FileOf<OptionStore>>

  /** A form that was read. */
  type Form<Files = OtherFiles<MemoryFile>, Fields = Record<string, any>> = AsyncDispose & {
    /** A name that occurs more than once has an array. */
    fields: Fields
    /** Name of the field -> its files. */
    files: Files
    /** Removes the files on disk that were not kept, or discards those that no loop reads. `await using` calls it. */
    dispose (): Promise<void>
  }

  /** A field, in the loop over `parts`; or a part of another multipart type that is not a file. */
  interface FieldPart {
    field: string
    /** All fields of its header, by their names in lower case. */
    headers: Record<string, string | undefined>
    value: string
    type: string
    /** As they were sent. */
    bytes: Uint8Array
    name?: undefined
    stream?: undefined
  }

  interface FilePart extends FileStream {
    /** All fields of its header, by their names in lower case. */
    readonly headers: Record<string, string | undefined>
  }

  /** What the tracing channel `fast-body-parser` tells of a request that is read. */
  interface TraceMessage {
    parser: 'json' | 'raw' | 'text' | 'urlencoded' | 'multipart' | 'ndjson' | 'jsonArray'
    request: WebRequest
    /** How the body was read; `none` if no byte of it was. Known from `asyncStart` and `error` on. */
    lane: 'identity' | 'one-shot' | 'stream' | 'none'
    /** Bytes received, before decompression. Known at the same time. */
    bytesIn: number
    /** Bytes of the body after decompression; 0 if it was not read to its end. Known at the same time. */
    bytesDecoded: number
    /** Milliseconds from the call of the reader to the end of its promise, or of the loop. Known at the same time. */
    ms: number
    /** What the promise is rejected with, or the loop throws. */
    error?: unknown
  }

  type AnyStore = 'memory' | DiskStore | Store
  type AnyFiles = Rules | false | undefined

  interface OptionsFilesOf<Files> {
    /**
     * The files that are expected, by the name of their field; see OptionsMultipart.
     *
     * @default { '*': { max: 10 } }
     */
    files?: Files
  }

  /** Options of `multipart` with these rules. */
  type OptionsRuled<Files, Schema> = WithSchema<Omit<OptionsMultipart, 'files' | 'store'>, Schema> & OptionsFilesOf<Files>

  type FieldsOf<Schema> = Schema extends StandardSchema ? OutputOf<Schema> : Record<string, any>

  interface FormReader<Files = OtherFiles<MemoryFile>, Fields = Record<string, any>> {
    /**
     * Reads a form; undefined if there is no content, or if it is of another
     * type, which both are errors of a POST, PUT or PATCH if a rule of `files`
     * requires a file. Called twice for a request, it gives the same promise.
     */
    (request: WebRequest): Promise<Form<Files, Fields> | undefined>
    /**
     * Reads a form, or a body of any other multipart type, part by part. A file
     * has to be read before the next part is asked for; what was not read of it
     * is discarded.
     *
     * @throws in the loop; and a 415 for another media type
     */
    parts (request: WebRequest): AsyncIterableIterator<FieldPart | FilePart>
  }

  interface Multipart {
    /** @throws {TypeError} if an option is wrong, or excludes another one */
    <Files extends AnyFiles, OptionStore extends AnyStore, Schema extends StandardSchema | undefined = undefined>(options: OptionsRuled<Files, Schema> & { store: OptionStore }): FormReader<FilesOf<Files, OptionStore>, FieldsOf<Schema>>
    <Files extends AnyFiles, Schema extends StandardSchema | undefined = undefined>(options?: OptionsRuled<Files, Schema> & { store?: 'memory' | undefined }): FormReader<FilesOf<Files, 'memory'>, FieldsOf<Schema>>
    /** The fields first: `files` is for one loop, which throws what is wrong behind them. */
    <Schema extends StandardSchema | undefined = undefined>(options: OptionsRuled<AnyFiles, Schema> & { store: 'stream' }): FormReader<AsyncIterable<FileStream>, FieldsOf<Schema>>
    <Schema extends StandardSchema | undefined = undefined>(options: WithSchema<OptionsMultipart, Schema>): FormReader<OtherFiles<FileOf<AnyStore>>, FieldsOf<Schema>>
    /**
     * A store that writes files into a directory, which it creates: on Node.js,
     * Bun and Deno.
     *
     * @throws {TypeError} if it is not a directory's name, or the runtime has no file system
     */
    disk: (directory: string, options?: OptionsDisk) => DiskStore
  }
}

/** Parsers for a `Request` of the Fetch standard: Hono, h3, Workers, Bun, Deno. */
declare const web: {
  /**
   * Creates a value for the option `budget` of any number of readers, and parsers of fast-body-parser.
   *
   * @throws {TypeError} if an option is wrong
   */
  createBudget: (options: web.OptionsBudget) => web.Budget
  /**
   * The first reader whose `type` fits reads the request. Content that fits none
   * is a 415 (`media.type.unsupported`), whose `headers` have an `Accept`.
   * Without content, the first reader decides.
   *
   * @throws {TypeError} if there is no reader, or another function among them
   */
  firstOf: <Readers extends readonly [web.AnyReader, ...web.AnyReader[]]>(...readers: Readers) => web.FirstOf<Readers>
  /** @throws {TypeError} if an option is wrong, or excludes another one */
  json: <Schema extends web.StandardSchema | undefined = undefined>(options?: web.WithSchema<web.OptionsJson | web.OptionsJsonWithoutReviver | web.OptionsJsonParse, Schema>) => web.ReaderOf<any, Schema>
  /**
   * Of the items of a JSON array, which are read in a loop; an error of the request is thrown there.
   *
   * @throws {TypeError} if an option is wrong, or excludes another one
   */
  jsonArray: <Schema extends web.StandardSchema | undefined = undefined, OnError extends 'stop' | 'collect' = 'stop'>(options?: web.WithSchema<web.OptionsJsonArray<OnError>, Schema>) => (request: web.WebRequest) => web.Records<OnError extends 'collect' ? web.CollectedItem<web.ValueOf<Schema>> : web.ValueOf<Schema>>
  /**
   * Of records, which are read in a loop; an error of the request is thrown there.
   *
   * @throws {TypeError} if an option is wrong, or excludes another one
   */
  ndjson: <Schema extends web.StandardSchema | undefined = undefined, OnError extends 'stop' | 'collect' = 'stop'>(options?: web.WithSchema<web.OptionsNdjson<OnError>, Schema>) => (request: web.WebRequest) => web.Records<OnError extends 'collect' ? web.CollectedRecord<web.ValueOf<Schema>> : web.ValueOf<Schema>>
  /** Of forms with files. */
  multipart: web.Multipart
  /** @throws {TypeError} if an option is wrong */
  raw: <Schema extends web.StandardSchema | undefined = undefined>(options?: web.WithSchema<web.OptionsRaw, Schema>) => web.ReaderOf<Uint8Array | undefined, Schema>
  /** @throws {TypeError} if an option is wrong */
  text: <Schema extends web.StandardSchema | undefined = undefined>(options?: web.WithSchema<web.OptionsText, Schema>) => web.ReaderOf<string | undefined, Schema>
  /**
   * Answers an error of a reader as `application/problem+json`. Any other error
   * is logged, and is a 500 that tells nothing of it.
   *
   * @throws {TypeError} if an option is wrong
   */
  toResponse: (error: unknown, options?: web.OptionsToResponse) => web.WebResponse
  /** @throws {TypeError} if an option is wrong, or excludes another one */
  urlencoded: <Schema extends web.StandardSchema | undefined = undefined>(options?: web.WithSchema<web.OptionsUrlencoded | web.OptionsUrlencodedParse, Schema> & web.OptionsUrlencodedQs) => web.ReaderOf<any, Schema>
}

export = web
