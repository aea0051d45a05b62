/// <reference types="node" />

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import shared = require('./types/shared.js')

declare namespace bodyParser {
  /**
   * Reads the body of a request into `req.body`. Fits Express, connect and
   * `node:http`.
   *
   * Calls `next` once: without an argument if the body is parsed, or if there
   * is nothing for this parser to do; else with an error that has a `status`.
   */
  type Middleware = (req: IncomingMessage, res: ServerResponse, next: (err?: any) => void) => void

  /** What the factories return: a middleware that can be awaited as well. */
  interface Parser<Body = any> extends Middleware {
    /**
     * Reads the body without a `next`: for `node:http`, Koa, and handlers that
     * need the body only sometimes. Called twice for a request, it gives the
     * same promise.
     *
     * @returns `req.body`: what this parser sets it to, or what it is if this
     *   parser skips the request. Rejected with what `next` would get, and with
     *   `request.aborted` if the client has left before the body was read
     */
    read (req: IncomingMessage, res: ServerResponse): Promise<Body>
  }

  /** A parser with a `schema`. Express infers the type of `req.body` from it for the handlers that follow in the same call. */
  interface ValidatingParser<Body> {
    (req: IncomingMessage, res: ServerResponse, next: (err?: any) => void): void
    (req: IncomingMessage & { body: Body }, res: ServerResponse, next: (err?: any) => void): void // the last one is for inference
    read: Parser<Body>['read']
  }

  /** With a schema, what that gives; else what the parser itself gives. */
  type ParserOf<Body, Schema> = IsUninferred<Schema> extends true
    ? Middleware & Partial<Parser<Body>>
    : Schema extends StandardSchema
      ? unknown extends OutputOf<Schema> ? Parser : ValidatingParser<OutputOf<Schema>>
      : Parser<Body>

  /** Whether this is `ReturnType<typeof bodyParser.json>`: any middleware, as with `@types/body-parser`, as tests replace parsers by plain functions. */
  type IsUninferred<Schema> = 0 extends 1 & Schema ? false : [NoCall] extends [Schema] ? true : false

  /** Never the type of an option, but part of what `ReturnType` takes for it. */
  interface NoCall { readonly noCall: never }

  type ErrorHandler = (err: any, req: IncomingMessage, res: ServerResponse, next: (err?: any) => void) => void

  type StandardSchema<Input = unknown, Output = Input> = shared.StandardSchema<Input, Output>
  type WithSchema<Of extends object, Schema> = shared.WithSchema<Of, Schema>

  /** The type of what a schema gives. */
  type OutputOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output']

  /** Options of all parsers. A factory reads them once, when it is called. */
  interface Options extends shared.Options {
    /**
     * Parse a body that other code has read before: if nothing is left to read
     * of the request, take the bytes or the text in `req.rawBody`, or else in
     * `req.body`. They count as decompressed.
     *
     * @default false
     */
    buffered?: boolean | undefined
    /**
     * Most bytes of a body, after decompression. A number of bytes, or a string
     * with a unit, which is a power of 1024: `'1.5mb'`. A larger body is a 413
     * (`entity.too.large`).
     *
     * @default '100kb' (102,400 bytes)
     * @see {@link https://www.npmjs.com/package/bytes} for units
     */
    limit?: number | string | undefined
    /**
     * Put the bytes of the body, decompressed, on `req.rawBody` before `verify`
     * is called: of each request, or of those for which a function returns true.
     * `fast-body-parser/raw-body` declares that property.
     *
     * @default false
     */
    rawBody?: boolean | RequestRawBody | undefined
    /**
     * Which bodies to parse: a media type (`application/json`), an extension
     * name (`json`), a pattern (`text/*`, `+json`), a list of these, or a
     * function that returns something truthy for each request to parse.
     *
     * @default `application/json` (json), `application/octet-stream` (raw),
     *   `text/plain` (text), `application/x-www-form-urlencoded` (urlencoded)
     * @see {@link https://www.npmjs.com/package/type-is} for names and patterns
     */
    type?: string | string[] | RequestType | undefined
    /**
     * Called with the bytes before they are parsed. To refuse the body, throw,
     * or return a promise that rejects: a 403 (`entity.verify.failed`), or the
     * error's own `status` and `type`. Every promise is awaited; any other
     * returned value is ignored.
     *
     * @default none
     * @param buf the whole body, decompressed
     * @param encoding charset of the body in lower case, or `defaultCharset`
     */
    verify?(req: IncomingMessage, res: ServerResponse, buf: Buffer, encoding: string): unknown
  }

  /** What the app's code is told besides the body. */
  interface Context {
    /** Aborted when the result is no longer awaited: the client has left, or `timeout` is over. Its `reason` is the error that `next` gets. */
    signal: AbortSignal
  }

  /** Made by `createBudget`. */
  type Budget = shared.Budget
  type OptionsBudget = shared.OptionsBudget

  /** A method, so that the parameter may be a Request of Express. */
  type RequestLimit = { limit (req: IncomingMessage): number | string }['limit']

  /** A method for the same reason. */
  type RequestRawBody = { rawBody (req: IncomingMessage): boolean }['rawBody']

  /** A method for the same reason. */
  type RequestType = { type (req: IncomingMessage): any }['type']

  /** The same options, but `limit` may be a function of the request, `type` a list that is readonly, and `verify` takes a context. */
  type WithRequestLimit<Of extends Options> = Of extends unknown
    ? Omit<Of, 'limit' | 'type' | 'verify'> & {
      /**
       * Most bytes, or a function that returns them, called once for each body
       * before it is read.
       *
       * @default '100kb'
       */
      limit?: Options['limit'] | RequestLimit
      /**
       * Called with the bytes before they are parsed. To refuse the body, throw,
       * or return a promise that rejects: a 403 (`entity.verify.failed`), or the
       * error's own `status` and `type`. A function that declares five
       * parameters gets a `signal` in the last one.
       *
       * @default none
       */
      verify?(...args: [...Parameters<NonNullable<Of['verify']>>, context: Context]): unknown
    } & (undefined extends Of['type'] ? WithReadonlyTypes : WithRequiredTypes)
    : never

  interface WithReadonlyTypes {
    /**
     * Which bodies to parse: a media type, an extension name, a pattern, a list
     * of these, or a function of the request.
     *
     * @default the parser's own
     * @see {@link https://www.npmjs.com/package/type-is} for names and patterns
     */
    type?: Options['type'] | readonly string[]
  }

  interface WithRequiredTypes {
    /**
     * Which bodies to parse: as for the other parsers, but required.
     *
     * @see {@link https://www.npmjs.com/package/type-is} for names and patterns
     */
    type: NonNullable<Options['type']> | readonly string[]
  }

  /** The same options, but `rawBody` may keep the bytes as they were sent. */
  type WithCodedRawBody<Of extends object> = Of extends unknown
    ? Omit<Of, 'buffered' | 'inflate' | 'rawBody'> & {
      buffered?: false | undefined
      inflate?: true | undefined
      /**
       * Put the bytes of the body on `req.rawBody` as they were sent, before
       * decompression. `limit` holds for them, too. Excludes `buffered` and
       * `inflate: false`.
       *
       * @default false
       * @see {@link https://www.rfc-editor.org/rfc/rfc9530} for digests of them
       */
      rawBody?: boolean | 'coded' | undefined
    }
    : never

  /** What a factory takes. */
  type OptionsOf<Of extends Options> =
    WithRequestLimit<Of> | WithCodedRawBody<WithRequestLimit<Of>>

  type PoisoningAction = shared.PoisoningAction

  interface OptionsCooperative {
    /**
     * Milliseconds to work in one turn of the event loop.
     *
     * @default 0.25
     */
    slice?: number | undefined
    /**
     * Larger bodies are parsed in slices. Bytes after decompression, as for
     * `limit`.
     *
     * @default '256kb' (262,144 bytes)
     */
    threshold?: number | string | undefined
  }

  /** Options of `json`: those of body-parser, and `depth`. */
  interface OptionsJson extends Options, shared.OptionsJsonDepth, shared.WithReviver {
    cooperative?: false | undefined
  }

  /** Options of `json` that exclude a `reviver`. */
  interface OptionsJsonWithoutReviver extends Options, shared.OptionsJsonDepth, shared.WithoutReviver {
    /**
     * Parse large bodies in slices, one in each turn of the event loop, so that
     * other requests are served in between. The result is the same. Excludes
     * `parse` and `reviver`.
     *
     * @default false
     */
    cooperative?: boolean | OptionsCooperative | undefined
  }

  /** Options of `json` with a parser of the app's own. */
  interface OptionsJsonParse extends Options, shared.OptionsJsonParse<IncomingMessage, AbortSignal> {
    cooperative?: false | undefined
  }

  /** Options of `raw`. */
  interface OptionsRaw extends Options {
    /**
     * As in the other parsers, but bytes have no charset: `encoding` is null.
     *
     * @default none
     */
    verify?(req: IncomingMessage, res: ServerResponse, buf: Buffer, encoding: string | null): unknown
  }

  /** Options of `text`. */
  interface OptionsText extends Options, shared.OptionsText {}

  /** Options of `urlencoded`. */
  interface OptionsUrlencoded extends Options, shared.OptionsUrlencoded {}

  /** Options of `urlencoded` with a parser of the app's own. */
  interface OptionsUrlencodedParse extends Options, shared.OptionsUrlencodedParse<IncomingMessage, AbortSignal> {}

  type OptionsUrlencodedQs = shared.OptionsUrlencodedQs
  type OptionsQs = shared.OptionsQs

  /** A file of a form. What more it has depends on the `store`. */
  interface FormFile {
    /** Name of the form field. */
    field: string
    /**
     * As the client calls the file: the last segment of a path, without control
     * characters; empty if there is none. Not to be used as a path.
     */
    name: string
    /**
     * The folder of the file, if the client sends its path, such as
     * `photos/2024` of a folder that a browser uploads (`webkitdirectory`); else
     * empty. Its segments are never `.`, `..`, empty or a drive, and have no
     * control characters or backslashes. Not to be used as a path.
     */
    folder: string
    /** Media type in lower case, as the client declares it, which nothing has checked; or that of option `detect`. */
    type: string
    /** As the client declares it, if `detect` is given. */
    declaredType?: string
    /** Bytes. */
    size: number
    /** In hex, if option `digest` is given. */
    digest?: string
  }

  /** A file with `store: 'memory'`. */
  interface MemoryFile extends FormFile {
    bytes: Buffer
  }

  /** A file with `store: multipart.disk(directory)`. It is removed when the response is closed. */
  interface DiskFile extends FormFile {
    path: string
    /** Lets the file stay where it is. */
    keep (): Promise<void>
    /**
     * Moves the file, so that it stays. Replaces a file of that name.
     *
     * @throws if it cannot be moved; then it is where it was, to be removed unless it was kept before
     */
    keep (path: string | URL): Promise<void>
  }

  /** A file with a `store` of the app's. */
  interface StoredFile<Value = any> extends FormFile {
    /** What the store has returned. */
    value: Value
  }

  /** Made by `multipart.disk`. */
  interface DiskStore {
    /** Absolute path. */
    readonly directory: string
  }

  /** Options of `multipart.disk`. */
  interface OptionsDisk {
    /**
     * Chooses the name of a file in the directory, before anything of it is
     * read. A name with a path is an error, and so is that of a file that is
     * there already (`EEXIST`).
     *
     * @default a random name
     */
    filename?: ((file: IncomingFile, context: StoreContext) => string | Promise<string>) | undefined
    /**
     * Mode of the files that are created, from which the system takes the
     * umask of the process.
     *
     * @default 0o600: for their owner alone
     */
    mode?: number | undefined
  }

  /** What the header of a file says. */
  type IncomingFile = Omit<FormFile, 'digest' | 'size'>

  /** A file while it is received. */
  interface FileStream extends Readable {
    /** Name of the form field. */
    readonly field: string
    /** As the client calls the file; see `FormFile`. */
    readonly name: string
    /** The folder of the file as the client calls it; see `FormFile`. */
    readonly folder: string
    /** Media type in lower case; see `FormFile`. */
    readonly type: string
    /** As the client declares it, if `detect` is given. */
    readonly declaredType?: string
    /** In hex, at the end, if option `digest` is given. */
    readonly digest?: string
    /**
     * The first bytes, which stay in the stream: 1 to 65,536 of them, or fewer
     * if the file is shorter. To be called before anything is read.
     */
    peek (size: number): Promise<Buffer>
  }

  /**
   * The fields of the header of a part, by their names in lower case, without a
   * prototype. The values of a name that occurs twice are joined by `, `.
   */
  type PartHeaders = Record<string, string | undefined>

  /** A field, in the loop over `parts`; or a part of another multipart type that is not a file. */
  interface FieldPart {
    /** Its name; empty only if a part that is not of `multipart/form-data` has none. */
    field: string
    /** All fields of its header. */
    headers: PartHeaders
    /** The text of the field, in the charset that it or the form names. */
    value: string
    /** Media type in lower case, as the client declares it; else `text/plain`. */
    type: string
    /** As they were sent. */
    bytes: Buffer
    name?: undefined
  }

  interface StoreContext {
    req: IncomingMessage
    /** The fields that came before the file. */
    fields: Record<string, string | string[]>
    /** Aborted if the form fails, also after the file was stored; its `reason` is the error. */
    signal: AbortSignal
  }

  /**
   * Stores a file, and returns the file's `value`, or a promise of it. The next
   * part is read after that. What it leaves of the file is discarded once
   * nothing reads it; a later read fails (`multipart.file.discarded`).
   */
  type Store<Value = any> = (file: FileStream, context: StoreContext) => Value | Promise<Value>

  /** A request behind `multipart`: with files, or, if it was not a form, with none. For what Express should know, see docs/multipart.md. */
  interface WithFiles<File extends FormFile = MemoryFile> {
    /** Name of the field -> its files. */
    files: Record<string, File[] | undefined>
  }

  /** A request behind `multipart({ store: 'stream' })`. */
  interface WithStreamedFiles {
    /**
     * The files, for one loop. What it does not read of a file is discarded when
     * the next one is asked for. Empty, if the request was not a form.
     *
     * @throws in the loop, what is wrong behind the fields
     */
    files: AsyncIterable<FileStream>
  }

  /** A file, in the loop over `parts`. */
  interface FilePart extends FileStream {
    /** All fields of its header. */
    readonly headers: PartHeaders
  }

  interface MultipartParser extends Parser {
    /**
     * Reads a form, or a body of any other multipart type, part by part, without
     * `req.body` and `req.files`. A file has to be read before the next part is
     * asked for; what was not read of it is discarded. Yields nothing for a
     * request without content, unless a rule of `files` requires a file.
     *
     * @throws what `next` would get, in the loop; and a 415 for another media type
     */
    parts (req: IncomingMessage, res: ServerResponse): AsyncIterableIterator<FieldPart | FilePart>
  }

  /** A rule of option `files` of `multipart`. */
  interface OptionsFiles extends shared.OptionsFiles<IncomingFile, StoreContext, DiskStore | Store> {}

  type FormType = 'multipart/form-data'

  /** Options of `multipart`. */
  interface OptionsMultipart extends Omit<Options, 'limit' | 'rawBody' | 'type' | 'verify'>, shared.OptionsForms<IncomingFile, StoreContext, DiskStore | Store, DiskStore | Store | 'stream', Buffer> {
    /**
     * Most bytes of a form, after decompression, or a function of the request
     * that returns them. Beyond, it is a 413 (`entity.too.large`). A number into
     * which another one does not fit, such as the `size` of a file, is a
     * `TypeError`.
     *
     * @default '1mb' (1,048,576 bytes), and what was given besides: `max` times
     *   `size` of the rules of `files`, but at most `total`, and that of `fields`
     */
    limit?: Options['limit'] | RequestLimit
    rawBody?: false | undefined
    /**
     * Which requests to read: forms alone, or those for which a function of the
     * request returns a truthy value. Their bodies are read as forms, except by
     * `parts`, which reads any multipart type.
     *
     * @default 'multipart/form-data', and every multipart type for `parts`
     */
    type?: FormType | readonly FormType[] | RequestType | undefined
    verify?: undefined
  }

  interface Multipart {
    /**
     * Creates a middleware that reads forms with files (`multipart/form-data`,
     * RFC 7578): fields into `req.body`, files into `req.files`.
     *
     * @throws {TypeError} if an option is wrong, or excludes another one
     */
    (options?: OptionsMultipart): MultipartParser
    /**
     * A store that writes files into a directory, which it creates: with names
     * that cannot be guessed, for their owner alone (mode 0600), unless its
     * options choose others.
     *
     * @throws {TypeError} if it is not a directory's name, and what creating it throws
     */
    disk: (directory: string, options?: OptionsDisk) => DiskStore
  }

  type Records<Item = any> = shared.Records<Item>
  type CollectedRecord<Value = any> = shared.CollectedRecord<Value>

  interface OptionsNdjsonCommon<OnError extends 'stop' | 'collect'> extends Omit<Options, 'limit' | 'rawBody' | 'schema' | 'type' | 'verify'>, shared.OptionsNdjson<OnError> {
    /**
     * Most bytes of a body, after decompression, or a function of the request
     * that returns them. Beyond, it is a 413 (`entity.too.large`).
     *
     * @default '100mb' (104,857,600 bytes)
     */
    limit?: Options['limit'] | RequestLimit
    rawBody?: false | undefined
    /**
     * Which bodies to parse, as for the other parsers.
     *
     * @default `application/x-ndjson`, `application/ndjson`, `application/jsonl`,
     *   `application/x-jsonl`, `text/jsonl`, `application/jsonlines`,
     *   `application/x-jsonlines` and `application/json-seq`
     */
    type?: Options['type']
  }

  /** Options of `ndjson`. */
  type OptionsNdjson<OnError extends 'stop' | 'collect' = 'stop' | 'collect'> = OptionsNdjsonCommon<OnError> & (shared.WithReviver | shared.WithoutReviver)

  /** What the loop of `ndjson` gets. */
  type RecordOf<Schema, OnError> = OnError extends 'collect' ? CollectedRecord<ValueOf<Schema>> : ValueOf<Schema>

  type CollectedItem<Value = any> = shared.CollectedItem<Value>

  interface OptionsJsonArrayCommon<OnError extends 'stop' | 'collect'> extends Omit<OptionsNdjsonCommon<OnError>, keyof shared.OptionsNdjson<OnError> | 'type'>, shared.OptionsJsonArray<OnError> {
    /**
     * Which bodies to parse, as for the other parsers.
     *
     * @default `application/json` and `+json`
     */
    type?: Options['type']
  }

  /** Options of `jsonArray`. */
  type OptionsJsonArray<OnError extends 'stop' | 'collect' = 'stop' | 'collect'> = OptionsJsonArrayCommon<OnError> & (shared.WithReviver | shared.WithoutReviver)

  /** What the loop of `jsonArray` gets. */
  type ItemOf<Schema, OnError> = OnError extends 'collect' ? CollectedItem<ValueOf<Schema>> : ValueOf<Schema>

  type ValueOf<Schema> = Schema extends StandardSchema ? OutputOf<Schema> : any

  interface OptionsProblemDetails {
    /**
     * What the URI of a problem type begins with: the error's `type` is added.
     *
     * @default none: the URI is `about:blank`
     */
    base?: string | undefined
  }

  interface OptionsCustomCommon extends Options {
    /**
     * Which bodies to parse: as for the other parsers, but required.
     *
     * @see {@link https://www.npmjs.com/package/type-is} for names and patterns
     */
    type: NonNullable<Options['type']>
  }

  /** Options of `createParser` for a parser of text. */
  interface OptionsCustom<Result = unknown> extends OptionsCustomCommon {
    /**
     * Charset of a body that names none: any that iconv-lite knows.
     *
     * @default 'utf-8'
     */
    charset?: string | undefined
    /**
     * Returns the value of `req.body`, or a promise of it. What it throws is a
     * 400 (`entity.parse.failed`), or has its own `status` and `type`.
     */
    parse(text: string, context: { charset: string, req: IncomingMessage, signal: AbortSignal }): Result
  }

  /** Options of `createParser` for a parser of bytes. */
  interface OptionsCustomBytes<Result = unknown> extends OptionsCustomCommon {
    /** Hands the bytes to `parse` as they are. */
    charset: false
    /**
     * Returns the value of `req.body`, or a promise of it. What it throws is a
     * 400 (`entity.parse.failed`), or has its own `status` and `type`.
     */
    parse(bytes: Buffer, context: { charset: null, req: IncomingMessage, signal: AbortSignal }): Result
    /**
     * As in the other parsers, but bytes have no charset: `encoding` is null.
     *
     * @default none
     */
    verify?(req: IncomingMessage, res: ServerResponse, buf: Buffer, encoding: string | null): unknown
  }

  /**
   * What subscribers to the tracing channel `fast-body-parser` of
   * `node:diagnostics_channel` receive.
   */
  interface TraceMessage {
    parser: 'json' | 'raw' | 'text' | 'urlencoded' | 'multipart' | 'ndjson' | 'jsonArray' | 'custom' | 'refuseUnparsed'
    req: IncomingMessage
    res: ServerResponse
    /** How the body was read; `none` if no byte of it was. Known from `asyncStart` and `error` on. */
    lane: 'identity' | 'one-shot' | 'stream' | 'buffered' | 'none'
    /** Bytes received, before decompression. Known at the same time. */
    bytesIn: number
    /** Bytes of the body after decompression; 0 if it was not read to its end. Known at the same time. */
    bytesDecoded: number
    /** Milliseconds from the call of the parser to that of `next`. Known at the same time. */
    ms: number
    /** What `next` is called with, if with an error. */
    error?: unknown
  }

  interface BodyParser {
    /** @deprecated Always throws. Use `json`, `raw`, `text` or `urlencoded`. */
    (options?: unknown): never
    /**
     * Creates a value for the option `budget` of any number of parsers.
     *
     * @throws {TypeError} if an option is wrong
     */
    createBudget: (options: OptionsBudget) => Budget
    /**
     * Creates a middleware that parses bodies of any media type into `req.body`.
     *
     * @throws {TypeError} if an option is wrong, or `type` or `parse` is missing
     */
    createParser: <Result, Schema extends StandardSchema | undefined = undefined>(
      options: WithSchema<OptionsOf<OptionsCustomBytes<Result> | OptionsCustom<Result>>, Schema>
    ) => ParserOf<Awaited<Result> | undefined, Schema>
    /**
     * Creates a middleware that parses JSON (RFC 8259) into `req.body`.
     *
     * @throws {TypeError} if an option is wrong, or excludes another one
     */
    json: <Schema extends StandardSchema | NoCall | undefined = undefined>(
      options?: WithSchema<OptionsOf<OptionsJson | OptionsJsonWithoutReviver | OptionsJsonParse>, Schema>
    ) => ParserOf<any, Schema>
    /**
     * Creates a middleware that puts the items of a JSON array into `req.body`,
     * to be read in a loop. Calls `next` before the body is read. Its `read`
     * gives the items, or is rejected if it has not read the body.
     *
     * @throws {TypeError} if an option is wrong, or excludes another one
     */
    jsonArray: <Schema extends StandardSchema | undefined = undefined, OnError extends 'stop' | 'collect' = 'stop'>(
      options?: WithSchema<OptionsJsonArray<OnError>, Schema>
    ) => ValidatingParser<Records<ItemOf<Schema, OnError>>>
    multipart: Multipart
    /**
     * Creates a middleware that puts the records of newline-delimited JSON, or
     * of a JSON text sequence (RFC 7464), into `req.body`, to be read in a loop.
     * Calls `next` before the body is read. Its `read` gives the records, or is
     * rejected if it has not read the body.
     *
     * @throws {TypeError} if an option is wrong, or excludes another one
     */
    ndjson: <Schema extends StandardSchema | undefined = undefined, OnError extends 'stop' | 'collect' = 'stop'>(
      options?: WithSchema<OptionsNdjson<OnError>, Schema>
    ) => ValidatingParser<Records<RecordOf<Schema, OnError>>>
    /**
     * Creates an error handler for Express that answers errors of the parsers
     * as `application/problem+json` (RFC 9457), and leaves others to `next`.
     *
     * @throws {TypeError} if an option is wrong
     */
    problemDetails: (options?: OptionsProblemDetails) => ErrorHandler
    /**
     * Creates a middleware that puts the body into `req.body` as a Buffer.
     *
     * @throws {TypeError} if an option is wrong, or excludes another one
     */
    raw: <Schema extends StandardSchema | NoCall | undefined = undefined>(
      options?: WithSchema<OptionsOf<OptionsRaw>, Schema>
    ) => ParserOf<Buffer | undefined, Schema>
    /**
     * Creates a middleware to follow the parsers: content that none of them has
     * read is a 415 (`media.type.unsupported`), with a header `Accept`.
     *
     * @throws {TypeError} for an argument
     */
    refuseUnparsed: () => Middleware
    /**
     * Creates a middleware that puts the body into `req.body` as a string.
     *
     * @throws {TypeError} if an option is wrong, or excludes another one
     */
    text: <Schema extends StandardSchema | NoCall | undefined = undefined>(
      options?: WithSchema<OptionsOf<OptionsText>, Schema>
    ) => ParserOf<string | undefined, Schema>
    /**
     * Creates a middleware that parses HTML forms
     * (`application/x-www-form-urlencoded`) into `req.body`.
     *
     * @throws {TypeError} if an option is wrong, or excludes another one
     */
    urlencoded: <Schema extends StandardSchema | NoCall | undefined = undefined>(
      options?: WithSchema<OptionsOf<OptionsUrlencoded | OptionsUrlencodedParse>, Schema> & OptionsUrlencodedQs
    ) => ParserOf<any, Schema>
  }
}

declare const bodyParser: bodyParser.BodyParser

export = bodyParser
