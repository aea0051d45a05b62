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
     * @default `application/x-ndjson`, `application/ndjson`, `application/jsonl`
     *   and `application/json-seq`
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

  type WebResponse = typeof globalThis extends { Response: { prototype: infer Type } } ? Type : unknown

  interface OptionsToResponse {
    /**
     * What the `type` of an error is put behind, to be the URI of the problem type.
     *
     * @default none: `about:blank`
     */
    base?: string | undefined
  }

  type ValueOf<Schema> = Schema extends StandardSchema ? OutputOf<Schema> : any
}

/** Parsers for a `Request` of the Fetch standard: Hono, h3, Workers, Bun, Deno. */
declare const web: {
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
