// What index.d.ts and web.d.ts have in common. Needs none of Node's types.

declare namespace shared {
  /**
   * What schemas of zod, valibot, arktype and others have in common.
   *
   * @see {@link https://standardschema.dev}
   */
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
    { readonly issues: Issues }

  /** What a schema has to say of a value. */
  type Issues = ReadonlyArray<{ readonly message: string, readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined }>

  /** Made by `createBudget`. */
  interface Budget {
    /** Bytes that bodies hold now. */
    readonly used: number
  }

  interface OptionsBudget {
    /** Most bytes that bodies hold at the same time. A number, or a string as for `limit`. */
    bytes: number | string
    /**
     * Milliseconds that a body waits, paused, until there is room. All but the
     * body that began first hold at most `bytes` together, so all of them at
     * most twice `bytes`.
     *
     * @default 0
     */
    wait?: number | undefined
  }

  /** Options of all parsers. */
  interface Options {
    /**
     * Bounds the memory of the bodies that all parsers with this budget read at
     * the same time. A body for which there is no room is a 503
     * (`budget.exceeded`).
     *
     * @default none
     */
    budget?: Budget | undefined
    /**
     * Bytes to read off and discard after an error in reading, so that the
     * connection can carry the next request. Beyond that, the error is reported
     * at once, and the connection (over HTTP/2: the stream) is closed after the
     * response. A `Request` is cancelled instead; before Node.js 26, where that
     * may end the process, it is left unread. A number, or a string as for
     * `limit`.
     *
     * @default '64mb' (67,108,864 bytes)
     * @see {@link https://www.rfc-editor.org/rfc/rfc9112#section-9.6}
     */
    drainLimit?: number | string | undefined
    /**
     * Compare the bytes as they came, before decompression, with the field
     * `Content-Digest` (sha-256, sha-512). `'check'`: if a request has one;
     * another body is a 400 (`digest.mismatch`). `'require'`: a request without
     * one is a 400 as well (`digest.missing`). Excludes `buffered`.
     *
     * @default none
     * @see {@link https://www.rfc-editor.org/rfc/rfc9530}
     */
    contentDigest?: 'check' | 'require' | undefined
    /**
     * Decompress bodies: gzip, deflate, br, and zstd where Node has it (22.15,
     * 23.8); gzip and deflate alone in runtimes without a zlib of Node's. With
     * `false`, a compressed body is a 415 (`encoding.unsupported`).
     *
     * @default true
     * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-8.4}
     */
    inflate?: boolean | undefined
    /**
     * Least bytes per second of a body, on average, from the sixth second on. A
     * number, or a string as for `limit`. A slower body is a 408
     * (`request.timeout`), and the connection is closed if the client may still
     * send; that of a `Request` is left to its server.
     *
     * @default none
     * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9}
     */
    minRate?: number | string | undefined
    /**
     * Checks the body, and gives its new value. What it refuses is a 422
     * (`entity.invalid`) with `issues`. It sees every body, or that there is
     * none: also that of a request that the parser skips. Content of another
     * type that no code has read is a 415 (`media.type.unsupported`).
     *
     * @default none
     * @see {@link https://standardschema.dev}
     */
    schema?: StandardSchema | undefined
    /**
     * Most milliseconds for a body to arrive, also while the rest of a refused
     * one is read off, and for the promises of `verify`, `parse` and `schema`,
     * stores of forms and loops over records to end. After that, it is a 408 (`request.timeout`), and the
     * connection is closed if the client may still send; that of a `Request` is left to its server.
     *
     * @default none
     * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9}
     */
    timeout?: number | undefined
  }

  /**
   * The same options, but `schema` has the type that was given. Omitted before,
   * as intersecting a schema of arktype with `StandardSchema` is too deep for
   * TypeScript 6 and older.
   */
  type WithSchema<Of extends object, Schema> = Of extends unknown
    ? Omit<Of, 'schema'> & {
      /**
       * Checks the body, and gives its new value. What it refuses is a 422
       * (`entity.invalid`) with `issues`.
       *
       * @default none
       * @see {@link https://standardschema.dev}
       */
      schema?: Schema
    }
    : never

  interface OptionsText {
    /**
     * Charset of a body that names none: any that iconv-lite knows; outside
     * Node.js, any that `TextDecoder` of the runtime knows.
     *
     * @default 'utf-8'
     * @see {@link https://www.npmjs.com/package/iconv-lite}
     */
    defaultCharset?: string | undefined
  }

  /** The third argument of a reviver, on Node.js 22 and newer. */
  interface ReviverContext {
    /** The text of a string, number, boolean or null, as it was sent. */
    source?: string
  }

  type PoisoningAction = 'error' | 'remove' | 'ignore'

  interface OptionsJsonCommon {
    /**
     * Charset of a body that names none: one that begins with `utf-`, in lower
     * case.
     *
     * @default 'utf-8'
     * @see {@link https://www.rfc-editor.org/rfc/rfc8259#section-8.1}
     */
    defaultCharset?: string | undefined
    /**
     * What a body of no bytes is: undefined, an object, or a 400
     * (`entity.empty`). With `{}`, a request without content has an object, too.
     * Other than in the other options, undefined is not the default.
     *
     * @default `{}` for a body of no bytes, undefined without content
     */
    empty?: Record<string, never> | 'error' | undefined
    /**
     * Accept only objects and arrays; any other JSON is a 400
     * (`entity.parse.failed`).
     *
     * @default true
     * @see {@link https://www.rfc-editor.org/rfc/rfc8259#section-2}
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

  interface WithReviver {
    onConstructorPoisoning?: 'ignore' | undefined
    onProtoPoisoning?: 'ignore' | undefined
    /**
     * The second argument of `JSON.parse`. Excludes `cooperative`,
     * `onProtoPoisoning` and `onConstructorPoisoning`.
     *
     * @default none
     * @param context has the `source` of numbers, on Node.js 22 and newer
     * @see {@link https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects/JSON/parse}
     */
    reviver?(this: any, key: string, value: any, context?: ReviverContext): any
  }

  interface WithoutReviver {
    /**
     * What to do about a key `constructor` that holds an object with a key
     * `prototype`: refuse the text with a 400 (`entity.parse.failed`), remove
     * the key, or ignore it. Excludes `parse` and `reviver`.
     *
     * @default 'ignore'
     * @see {@link https://www.npmjs.com/package/secure-json-parse}
     */
    onConstructorPoisoning?: PoisoningAction | undefined
    /**
     * What to do about a key `__proto__`: refuse the text with a 400
     * (`entity.parse.failed`), remove the key, or ignore it. Excludes `parse`
     * and `reviver`.
     *
     * @default 'ignore'
     * @see {@link https://www.npmjs.com/package/secure-json-parse}
     */
    onProtoPoisoning?: PoisoningAction | undefined
    reviver?: undefined
  }

  /** With a parser of the app's own. */
  interface OptionsJsonParse<Request, Signal> extends OptionsJsonCommon {
    depth?: undefined
    onConstructorPoisoning?: undefined
    onProtoPoisoning?: undefined
    /**
     * Called instead of `JSON.parse`; may return a promise. What it throws is a
     * 400 (`entity.parse.failed`), or has its own `status` and `type`. It is not
     * called for an empty body, nor for one that `strict` refuses. Excludes
     * `cooperative`, `depth`, `onProtoPoisoning` and `onConstructorPoisoning`.
     *
     * @default none
     */
    parse(text: string, context: { charset: string, reviver: WithReviver['reviver'], req: Request, signal: Signal }): unknown
    /**
     * Handed to `parse` in its context.
     *
     * @default none
     */
    reviver?(this: any, key: string, value: any, context?: ReviverContext): any
  }

  interface OptionsUrlencodedCommon {
    /**
     * Charset of a form that names none.
     *
     * @default 'utf-8'
     * @see {@link https://url.spec.whatwg.org/#application/x-www-form-urlencoded}
     */
    defaultCharset?: 'utf-8' | 'iso-8859-1' | undefined
    /**
     * Let brackets in names nest: `a[b]=1` is `{ a: { b: '1' } }`.
     *
     * @default false
     * @see {@link https://www.npmjs.com/package/qs}
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
     * @see {@link https://www.npmjs.com/package/qs}
     */
    depth?: number | undefined
    /**
     * Read numeric entities, such as `&#9786;`, as characters in the values of
     * an ISO-8859-1 form. Excludes `parse`.
     *
     * @default false
     * @see {@link https://www.npmjs.com/package/qs}
     */
    interpretNumericEntities?: boolean | undefined
    parse?: undefined
  }

  /** With a parser of the app's own. */
  interface OptionsUrlencodedParse<Request, Signal> extends OptionsUrlencodedCommon {
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
    parse(text: string, context: { charset: string, req: Request, signal: Signal }): unknown
  }

  /** Goes with the options of `urlencoded`. */
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
    qs: OptionsQs | undefined
    parse?: undefined
  }

  /** @see {@link https://www.npmjs.com/package/qs} */
  interface OptionsQs {
    /**
     * Let dots nest, too: `a.b=1` is `{ a: { b: '1' } }`.
     *
     * @default false
     */
    allowDots?: boolean | undefined
    /**
     * Let `a[]=` be an empty array.
     *
     * @default false
     */
    allowEmptyArrays?: boolean | undefined
    /**
     * Accept fields whose name every object inherits, such as `toString`. With
     * `false`, they are left out.
     *
     * @default true
     */
    allowPrototypes?: boolean | undefined
    /**
     * Leave holes in an array where no index is given.
     *
     * @default false
     */
    allowSparse?: boolean | undefined
    /**
     * Most items of an array, 0 or more. A longer one becomes an object; see
     * `throwOnLimitExceeded`.
     *
     * @default the number of parameters of the form, but 100 at least
     */
    arrayLimit?: number | undefined
    /**
     * Split values at commas: `a=1,2` is `{ a: ['1', '2'] }`.
     *
     * @default false
     */
    comma?: boolean | undefined
    /**
     * Read `%252E` in a name as a dot that does not nest. Turns `allowDots`
     * on.
     *
     * @default false
     */
    decodeDotInKeys?: boolean | undefined
    /**
     * Decodes each name and value.
     *
     * @default the decoder of qs
     */
    decoder?: ((text: string, defaultDecoder: any, charset: string, type: 'key' | 'value') => any) | undefined
    /**
     * What becomes of a name that occurs again: an array of all its values, the
     * first one, or the last one.
     *
     * @default 'combine'
     */
    duplicates?: 'combine' | 'first' | 'last' | undefined
    /**
     * Read `a[0]=1` as an array. With `false`, it is an object.
     *
     * @default true
     */
    parseArrays?: boolean | undefined
    /**
     * Make objects without a prototype.
     *
     * @default false
     */
    plainObjects?: boolean | undefined
    /**
     * Where a name has both an object and a value, put them in an array. With
     * `false`, the value becomes a key of the object.
     *
     * @default true
     */
    strictMerge?: boolean | undefined
    /**
     * Read a name without `=` as null. With `false`, it is an empty string.
     *
     * @default false
     */
    strictNullHandling?: boolean | undefined
    /**
     * Refuse a form with an array over `arrayLimit`, as a 400
     * (`entity.parse.failed`).
     *
     * @default false
     */
    throwOnLimitExceeded?: boolean | undefined
  }

  /** What `ndjson` gives for a request. One loop reads it; a second one is a `TypeError`. */
  interface Records<Item = any> extends AsyncIterable<Item> {
    [Symbol.asyncIterator] (): AsyncIterableIterator<Item>
    /**
     * Lists of `size` records instead of single ones; the last list may be
     * shorter.
     *
     * @throws {TypeError} if it is not a positive integer
     */
    batches (size: number): AsyncIterableIterator<Item[]>
    /** Records that the loop has got so far, wrong ones included. */
    readonly count: number
    /**
     * Bytes of the body that have been read so far, before decompression: beside
     * the `Content-Length`, how far the loop is.
     */
    readonly received: number
  }

  /** What the loop gets with `onError: 'collect'`. */
  type CollectedRecord<Value = any> = {
    /** Number of the line, from 1. */
    line: number
    value: Value
    error?: undefined
  } | {
    line: number
    value?: undefined
    /**
     * Has a `status` and a `type`, and the `line` and the `offset` of the record;
     * of `schema`, its `issues`. Its `stack` is one line.
     */
    error: Error & { status: number, type: string, line: number, offset: number, issues?: Issues }
  }

  interface OptionsNdjson<OnError extends 'stop' | 'collect'> {
    /**
     * Deepest nesting of a record: `[]` is 1 deep. A deeper one is a 400
     * (`entity.too.deep`).
     *
     * @default Infinity
     */
    depth?: number | undefined
    /**
     * Most records. Beyond, it is a 413 (`records.too.many`).
     *
     * @default Infinity, as `limit` bounds the body
     */
    max?: number | undefined
    /**
     * Most wrong records that the loop gets with `onError: 'collect'`; one more
     * ends it with a 400 (`records.errors.too.many`).
     *
     * @default 1000
     */
    maxErrors?: number | undefined
    /**
     * What to do about a record that is wrong: throw its error into the loop,
     * which ends it, or give the loop `{ line, error }` in its place, and `{
     * line, value }` for any other.
     *
     * @default 'stop'
     */
    onError?: OnError | undefined
    /**
     * Most bytes of a record, without what ends its line. A longer one is a 413
     * (`entity.too.large`).
     *
     * @default '1mb' (1,048,576 bytes)
     */
    record?: number | string | undefined
    /**
     * Checks each record, and gives its new value. What it refuses is a 422
     * (`entity.invalid`) with `issues`. Content that this parser has not read is
     * a 415 (`media.type.unsupported`), whoever else has.
     *
     * @default none
     * @see {@link https://standardschema.dev}
     */
    schema?: StandardSchema | undefined
    /**
     * Accept only objects and arrays; any other record is a 400
     * (`entity.parse.failed`).
     *
     * @default true
     */
    strict?: boolean | undefined
    verify?: undefined
  }

  /** What the loop of `jsonArray` gets with `onError: 'collect'`. */
  type CollectedItem<Value = any> = {
    /** Number of the item, from 1. */
    record: number
    value: Value
    error?: undefined
  } | {
    record: number
    value?: undefined
    /** Of `schema`: has a `status` and a `type`, the `record` and its `offset`, and the `issues`. */
    error: Error & { status: number, type: string, record: number, offset: number, issues?: Issues }
  }

  interface OptionsJsonArray<OnError extends 'stop' | 'collect'> extends Omit<OptionsNdjson<OnError>, 'onError' | 'strict'> {
    /**
     * What to do about an item that `schema` refuses: throw its error into the
     * loop, which ends it, or give the loop `{ record, error }` in its place, and
     * `{ record, value }` for any other. What is not JSON ends the loop.
     *
     * @default 'stop'
     */
    onError?: OnError | undefined
    /**
     * JSON Pointer (RFC 6901) to the array, through members of objects, such as
     * `'/data/items'`. What stands beside it is checked, and not held.
     *
     * @default '': the JSON is the array
     */
    path?: string | undefined
  }

  /** A rule of option `files` of `multipart`. */
  interface OptionsFiles<File, Context, Store> {
    /**
     * Whether to take a file, before anything of it is read, or a promise of
     * that. The form goes on without a file that is not taken: it is discarded,
     * counts for none of these limits, and may be of any type.
     *
     * @default every file is taken
     */
    filter?: ((file: File, context: Context) => unknown) | undefined
    /**
     * Most files.
     *
     * @default 1
     */
    max?: number | undefined
    /**
     * Least files. A form with fewer is a 400 (`multipart.files.too.few`), and so
     * is a POST, PUT or PATCH without content; with content of another type, it
     * is a 415 (`media.type.unsupported`).
     *
     * @default 0
     */
    min?: number | undefined
    /**
     * Most bytes of each file. A number, or a string as for `limit`.
     *
     * @default Infinity: as much as `limit` allows
     */
    size?: number | string | undefined
    /**
     * Where the files of this rule go.
     *
     * @default option `store`
     */
    store?: 'memory' | Store | undefined
    /**
     * Media types that a client may declare, and ranges such as `image/*`. A
     * file of another one is a 415 (`multipart.file.type.unsupported`).
     *
     * @default any
     */
    types?: readonly string[] | undefined
  }

  /** Options of `multipart`, but for those of all parsers. */
  interface OptionsForms<File, Context, Store, AnyStore = Store, Bytes = Uint8Array> {
    /**
     * Charset of the fields and the names of a form that names none: one of the
     * Encoding Standard that is a superset of ASCII.
     *
     * @default 'utf-8'
     * @see {@link https://encoding.spec.whatwg.org/#names-and-labels}
     */
    defaultCharset?: string | undefined
    /**
     * Most levels of nesting in the names of fields, if `extended`; 0 leaves
     * brackets as they are. A deeper form is a 400
     * (`querystring.parse.rangeError`).
     *
     * @default 32
     * @see {@link https://www.npmjs.com/package/qs}
     */
    depth?: number | undefined
    /**
     * Tells the media type of a file by its first 4,100 bytes, or fewer if it
     * is shorter, before `types`, `filter` and the store. `undefined` is
     * `application/octet-stream`. What it throws is the form's error.
     *
     * @default none
     */
    detect?: ((head: Bytes, file: File) => string | undefined | null | Promise<string | undefined | null>) | undefined
    /**
     * A hash of `node:crypto`, such as `'sha256'`: each file has its `digest`,
     * in hex, once it is stored.
     *
     * @default none
     */
    digest?: string | undefined
    /**
     * Let brackets in the names of fields nest: `a[b]` is `{ a: { b: '1' } }`.
     * A name that does not nest as a whole, such as `items[0].name`, is kept as
     * it is.
     *
     * @default false
     * @see {@link https://www.npmjs.com/package/qs}
     */
    extended?: boolean | undefined
    /**
     * Most fields (`max`), and most bytes of each (`size`). A form with more is
     * a 413 (`multipart.fields.too.many`, `multipart.field.too.large`).
     *
     * @default { max: 100, size: '100kb' }
     */
    fields?: { max?: number | undefined, size?: number | string | undefined } | undefined
    /**
     * Which files are expected: name of the form field -> rule; `*` for all
     * other names together. A rule `photos` takes the files of `photos[]` and
     * `photos[0]` as well. A file that is not expected is a 400
     * (`multipart.file.unexpected`); too many, or one that is too large, a 413
     * (`multipart.files.too.many`, `multipart.file.too.large`). With `false`,
     * no file is expected.
     *
     * @default { '*': { max: 10 } }
     */
    files?: Record<string, OptionsFiles<File, Context, Store>> | false | undefined
    /**
     * Most parts (`max`), most bytes of the header of each (`header`; at most
     * `'1mb'`) and of its name (`name`). Beyond, a form is a 413
     * (`multipart.parts.too.many`, `multipart.name.too.long`) or a 400
     * (`multipart.header.too.large`); so is one whose headers together have more
     * than 1 KB for each part and twice `header` (`multipart.headers.too.large`).
     *
     * @default { max: 200, header: '16kb', name: 200 }, or more if `fields` and
     *   `files` have more parts, or longer names
     */
    parts?: { max?: number | undefined, header?: number | string | undefined, name?: number | string | undefined } | undefined
    /**
     * Where files go: into memory, into a directory (`multipart.disk`), to a
     * function of the app, or, with `'stream'`, to a loop of the handler.
     *
     * @default 'memory'
     */
    store?: 'memory' | AnyStore | undefined
    /**
     * Most bytes of all files together. Beyond, a form is a 413
     * (`multipart.files.too.large`). A number, or a string as for `limit`. More
     * than the rules of `files` allow is a `TypeError`.
     *
     * @default Infinity: as much as `limit` allows
     */
    total?: number | string | undefined
  }
}

export = shared
