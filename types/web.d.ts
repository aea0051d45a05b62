// Needs none of Node's types. Where there is no type Request, what the parsers use of it.

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

  /** @see {@link https://standardschema.dev} */
  interface StandardSchema<Input = unknown, Output = Input> {
    readonly '~standard': {
      readonly version: 1
      readonly vendor: string
      readonly types?: { readonly input: Input, readonly output: Output } | undefined
      readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    }
  }

  type StandardResult<Output> =
    { readonly value: Output, readonly issues?: undefined } |
    { readonly issues: ReadonlyArray<{ readonly message: string, readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined }> }

  /** The type of what a schema gives; any if it does not tell. */
  type OutputOf<Schema extends StandardSchema, Output = NonNullable<Schema['~standard']['types']>['output']> = unknown extends Output ? any : Output

  /** With a schema, what that gives; else what the parser itself gives. */
  type ReaderOf<Body, Schema> = Reader<Schema extends StandardSchema ? OutputOf<Schema> : Body>

  /** The options of the middleware of that name, as far as they make sense here. A function reads them once, when it is created. */
  interface Options {
    /**
     * Bytes to read off and discard after an error in reading. Beyond that, the
     * body is cancelled; before Node.js 26, where that may end the process, it is
     * left unread. A number, or a string as for `limit`.
     *
     * @default '64mb' (67,108,864 bytes)
     */
    drainLimit?: number | string | undefined
    /**
     * Decompress bodies: on Node.js, what the middleware does; elsewhere, the
     * codings that `DecompressionStream` of the runtime knows, gzip and deflate
     * among them. With `false`, a compressed body is a 415
     * (`encoding.unsupported`).
     *
     * @default true
     * @see {@link https://developer.mozilla.org/docs/Web/API/DecompressionStream}
     */
    inflate?: boolean | undefined
    /**
     * Most bytes of a body, after decompression. A number of bytes, a string
     * with a unit, which is a power of 1024 (`'1.5mb'`), or a function of the
     * request that returns either. A larger body is a 413 (`entity.too.large`).
     *
     * @default '100kb' (102,400 bytes)
     */
    limit?: number | string | ((request: WebRequest) => number | string) | undefined
    /**
     * Checks the body, and gives its new value. What it refuses is a 422
     * (`entity.invalid`) with `issues`.
     *
     * @default none
     * @see {@link https://standardschema.dev}
     */
    schema?: StandardSchema | undefined
    /**
     * Most milliseconds for a body to arrive, and for the promises of `verify`,
     * `parse` and `schema` to be settled. A slower body is a 408
     * (`request.timeout`). Counts as well while the rest of a refused body is
     * read off.
     *
     * @default none
     * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9}
     */
    timeout?: number | undefined
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

  type PoisoningAction = 'error' | 'remove' | 'ignore'

  type Reviver = (this: any, key: string, value: any, context?: { source?: string }) => any

  interface OptionsJsonCommon extends Options {
    /**
     * Charset of a body that names none: one that begins with `utf-`.
     *
     * @default 'utf-8'
     */
    defaultCharset?: string | undefined
    /**
     * What a body of no bytes is: undefined, an object, or a 400
     * (`entity.empty`). With `{}`, it is an object without content, too. Other
     * than in the other options, undefined is not the default.
     *
     * @default `{}` for a body of no bytes, undefined without content
     */
    empty?: Record<string, never> | 'error' | undefined
    /**
     * Accept only objects and arrays; any other JSON is a 400
     * (`entity.parse.failed`).
     *
     * @default true
     */
    strict?: boolean | undefined
  }

  interface OptionsJsonDepth extends OptionsJsonCommon {
    /**
     * Deepest nesting: `[]` is 1 deep. A deeper body is a 400
     * (`entity.too.deep`) and is not parsed. Excludes `parse`.
     *
     * @default Infinity
     */
    depth?: number | undefined
    parse?: undefined
  }

  interface OptionsJson extends OptionsJsonDepth {
    onConstructorPoisoning?: 'ignore' | undefined
    onProtoPoisoning?: 'ignore' | undefined
    /**
     * The second argument of `JSON.parse`. Excludes `onProtoPoisoning` and
     * `onConstructorPoisoning`.
     *
     * @default none
     * @see {@link https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects/JSON/parse}
     */
    reviver?: Reviver | undefined
  }

  interface OptionsJsonWithoutReviver extends OptionsJsonDepth {
    /**
     * What to do about a key `constructor` that holds an object with a key
     * `prototype`: refuse the body with a 400 (`entity.parse.failed`), remove
     * the key, or ignore it. Excludes `parse` and `reviver`.
     *
     * @default 'ignore'
     * @see {@link https://www.npmjs.com/package/secure-json-parse}
     */
    onConstructorPoisoning?: PoisoningAction | undefined
    /**
     * What to do about a key `__proto__`: refuse the body with a 400
     * (`entity.parse.failed`), remove the key, or ignore it. Excludes `parse`
     * and `reviver`.
     *
     * @default 'ignore'
     * @see {@link https://www.npmjs.com/package/secure-json-parse}
     */
    onProtoPoisoning?: PoisoningAction | undefined
    reviver?: undefined
  }

  interface OptionsJsonParse extends OptionsJsonCommon {
    depth?: undefined
    onConstructorPoisoning?: undefined
    onProtoPoisoning?: undefined
    /**
     * Called instead of `JSON.parse`; may return a promise. What it throws is a
     * 400 (`entity.parse.failed`), or has its own `status` and `type`. It is not
     * called for an empty body, nor for one that `strict` refuses. Excludes
     * `depth`, `onProtoPoisoning` and `onConstructorPoisoning`.
     *
     * @default none
     */
    parse(text: string, context: { charset: string, reviver: Reviver | undefined, req: WebRequest, signal: Signal }): unknown
    /**
     * Handed to `parse` in its context.
     *
     * @default none
     */
    reviver?: Reviver | undefined
  }

  interface OptionsRaw extends Options {
    /**
     * As in the other parsers, but bytes have no charset: `encoding` is null.
     *
     * @default none
     */
    verify?(request: WebRequest, response: undefined, bytes: Uint8Array, encoding: string | null): unknown
  }

  interface OptionsText extends Options {
    /**
     * Charset of a body that names none: any that `TextDecoder` of the runtime
     * knows.
     *
     * @default 'utf-8'
     * @see {@link https://encoding.spec.whatwg.org/#names-and-labels}
     */
    defaultCharset?: string | undefined
  }

  interface OptionsUrlencodedCommon extends Options {
    /**
     * Charset of a form that names none.
     *
     * @default 'utf-8'
     */
    defaultCharset?: 'utf-8' | 'iso-8859-1' | undefined
    /**
     * Let brackets in names nest: `a[b]=1` is `{ a: { b: '1' } }`.
     *
     * @default false
     */
    extended?: boolean | undefined
    /**
     * Most parameters of a form, 1 or more. A form with more is a 413
     * (`parameters.too.many`).
     *
     * @default 1000
     */
    parameterLimit?: number | undefined
  }

  interface OptionsUrlencoded extends OptionsUrlencodedCommon {
    /**
     * Let the parameter `utf8=✓` tell the charset of the form. Excludes `parse`.
     *
     * @default false
     * @see {@link https://www.npmjs.com/package/qs}
     */
    charsetSentinel?: boolean | undefined
    /**
     * Most levels of nesting in an extended form; 0 leaves brackets as they are.
     * A deeper form is a 400 (`querystring.parse.rangeError`). Excludes `parse`.
     *
     * @default 32
     */
    depth?: number | undefined
    /**
     * Read numeric entities, such as `&#9786;`, as characters in the values of
     * an ISO-8859-1 form. Excludes `parse`.
     *
     * @default false
     */
    interpretNumericEntities?: boolean | undefined
    parse?: undefined
  }

  interface OptionsUrlencodedParse extends OptionsUrlencodedCommon {
    charsetSentinel?: undefined
    depth?: undefined
    interpretNumericEntities?: undefined
    /**
     * Called instead of qs; may return a promise. What it throws is a 400
     * (`entity.parse.failed`), or has its own `status` and `type`. It is not
     * called for an empty body, nor for one over `parameterLimit`. Excludes
     * `charsetSentinel`, `depth`, `interpretNumericEntities` and `qs`.
     *
     * @default none
     */
    parse(text: string, context: { charset: string, req: WebRequest, signal: Signal }): unknown
  }

  type OptionsUrlencodedQs = {
    qs?: undefined
  } | {
    /** Let brackets in names nest: `qs` needs it. */
    extended: true
    /**
     * Options of qs that `urlencoded` does not set itself. Needs
     * `extended: true`; excludes `parse`.
     *
     * @default none
     * @see {@link https://www.npmjs.com/package/qs}
     */
    qs: object | undefined
    parse?: undefined
  }

  /** What `ndjson` gives for a request. One loop reads it; a second one is a `TypeError`. */
  interface Records<Item = any> extends AsyncIterable<Item> {
    [Symbol.asyncIterator] (): AsyncIterableIterator<Item>
    /** Lists of so many records; the last one may be shorter. */
    batches (size: number): AsyncIterableIterator<Item[]>
  }

  /** What the loop gets with `onError: 'collect'`. */
  type CollectedRecord<Value = any> =
    { line: number, value: Value, error?: undefined } |
    { line: number, value?: undefined, error: Error & { status: number, type: string, line: number, offset: number } }

  interface OptionsNdjsonCommon<OnError extends 'stop' | 'collect'> extends Omit<Options, 'limit' | 'schema' | 'type' | 'verify'> {
    /**
     * Deepest nesting of a record: `[]` is 1 deep. A deeper one is a 400
     * (`entity.too.deep`).
     *
     * @default Infinity
     */
    depth?: number | undefined
    /**
     * Most bytes of a body, after decompression. Beyond, it is a 413
     * (`entity.too.large`).
     *
     * @default '100mb' (104,857,600 bytes)
     */
    limit?: Options['limit']
    /**
     * Most records. Beyond, it is a 413 (`records.too.many`).
     *
     * @default 1000000
     */
    max?: number | undefined
    /**
     * What to do about a record that is wrong: throw its error into the loop,
     * or give the loop `{ line, error }` in its place.
     *
     * @default 'stop'
     */
    onError?: OnError | undefined
    /**
     * Most bytes of a record. A longer one is a 413 (`entity.too.large`).
     *
     * @default '1mb' (1,048,576 bytes)
     */
    record?: number | string | undefined
    /**
     * Checks each record, and gives its new value. What it refuses is a 422
     * (`entity.invalid`) with `issues`.
     *
     * @default none
     * @see {@link https://standardschema.dev}
     */
    schema?: StandardSchema | undefined
    /**
     * Accept only objects and arrays.
     *
     * @default true
     */
    strict?: boolean | undefined
    /**
     * Which bodies to parse; another one is a 415 (`media.type.unsupported`).
     *
     * @default `application/x-ndjson`, `application/ndjson`, `application/jsonl`
     *   and `application/json-seq`
     */
    type?: Options['type']
    verify?: undefined
  }

  type OptionsNdjson<OnError extends 'stop' | 'collect' = 'stop' | 'collect'> = OptionsNdjsonCommon<OnError> & ({
    onConstructorPoisoning?: 'ignore' | undefined
    onProtoPoisoning?: 'ignore' | undefined
    /**
     * The second argument of `JSON.parse`.
     *
     * @default none
     */
    reviver?: Reviver | undefined
  } | {
    /**
     * As for `json`.
     *
     * @default 'ignore'
     */
    onConstructorPoisoning?: PoisoningAction | undefined
    /**
     * As for `json`.
     *
     * @default 'ignore'
     */
    onProtoPoisoning?: PoisoningAction | undefined
    reviver?: undefined
  })

  type ValueOf<Schema> = Schema extends StandardSchema ? OutputOf<Schema> : any
}

/** Parsers for a `Request` of the Fetch standard: Hono, h3, Workers, Bun, Deno. */
// eslint-disable-next-line @typescript-eslint/no-redeclare -- a value and the namespace of its types
declare const web: {
  /** @throws {TypeError} if an option is wrong, or excludes another one */
  json: <Schema extends web.StandardSchema | undefined = undefined>(options?: (web.OptionsJson | web.OptionsJsonWithoutReviver | web.OptionsJsonParse) & { schema?: Schema }) => web.ReaderOf<any, Schema>
  /**
   * Of records, which are read in a loop; an error of the request is thrown there.
   *
   * @throws {TypeError} if an option is wrong, or excludes another one
   */
  ndjson: <Schema extends web.StandardSchema | undefined = undefined, OnError extends 'stop' | 'collect' = 'stop'>(options?: web.OptionsNdjson<OnError> & { schema?: Schema }) => (request: web.WebRequest) => web.Records<OnError extends 'collect' ? web.CollectedRecord<web.ValueOf<Schema>> : web.ValueOf<Schema>>
  /** @throws {TypeError} if an option is wrong */
  raw: <Schema extends web.StandardSchema | undefined = undefined>(options?: web.OptionsRaw & { schema?: Schema }) => web.ReaderOf<Uint8Array | undefined, Schema>
  /** @throws {TypeError} if an option is wrong */
  text: <Schema extends web.StandardSchema | undefined = undefined>(options?: web.OptionsText & { schema?: Schema }) => web.ReaderOf<string | undefined, Schema>
  /** @throws {TypeError} if an option is wrong, or excludes another one */
  urlencoded: <Schema extends web.StandardSchema | undefined = undefined>(options?: (web.OptionsUrlencoded | web.OptionsUrlencodedParse) & web.OptionsUrlencodedQs & { schema?: Schema }) => web.ReaderOf<any, Schema>
}

export = web
