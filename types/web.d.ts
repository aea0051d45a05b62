// Needs none of Node's types. Where there is no type Request, what the parsers use of it.

declare namespace web {
  interface RequestLike {
    readonly body: object | null
    readonly bodyUsed: boolean
    readonly headers: { get (name: string): string | null, has (name: string): boolean }
  }

  type WebRequest = typeof globalThis extends { Request: { prototype: infer Type extends RequestLike } } ? Type : RequestLike

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

  /** The options of the middleware of that name, as far as they make sense here. */
  interface Options {
    drainLimit?: number | string | undefined
    /**
     * Decompress bodies: the codings that `DecompressionStream` of the runtime
     * knows; gzip and deflate everywhere.
     *
     * @default true
     */
    inflate?: boolean | undefined
    limit?: number | string | ((request: WebRequest) => number | string) | undefined
    schema?: StandardSchema | undefined
    /** A media type, a pattern (`text/*`, `+json`), a list of these, or a function. No extension names. */
    type?: string | string[] | ((request: WebRequest) => any) | undefined
    /** As that of the middleware; there is no response. */
    verify?(request: WebRequest, response: undefined, bytes: Uint8Array, encoding: string): unknown
  }

  interface OptionsJson extends Options {
    defaultCharset?: string | undefined
    depth?: number | undefined
    empty?: Record<string, never> | 'error' | undefined
    onConstructorPoisoning?: 'error' | 'remove' | 'ignore' | undefined
    onProtoPoisoning?: 'error' | 'remove' | 'ignore' | undefined
    parse?(text: string, context: { charset: string, reviver: OptionsJson['reviver'], req: WebRequest }): unknown
    reviver?(this: any, key: string, value: any, context?: { source?: string }): any
    strict?: boolean | undefined
  }

  interface OptionsRaw extends Options {
    verify?(request: WebRequest, response: undefined, bytes: Uint8Array, encoding: string | null): unknown
  }

  interface OptionsText extends Options {
    /** Any charset that `TextDecoder` of the runtime knows. */
    defaultCharset?: string | undefined
  }

  interface OptionsUrlencoded extends Options {
    allowPrototypes?: boolean | undefined
    charsetSentinel?: boolean | undefined
    defaultCharset?: 'utf-8' | 'iso-8859-1' | undefined
    depth?: number | undefined
    extended?: boolean | undefined
    interpretNumericEntities?: boolean | undefined
    parameterLimit?: number | undefined
    parse?(text: string, context: { charset: string, req: WebRequest }): unknown
    qs?: object | undefined
  }
}

/** Parsers for a `Request` of the Fetch standard: Hono, h3, Workers, Bun, Deno. */
// eslint-disable-next-line @typescript-eslint/no-redeclare -- a value and the namespace of its types
declare const web: {
  /** @throws {TypeError} if an option is wrong, or excludes another one */
  json: <Schema extends web.StandardSchema | undefined = undefined>(options?: web.OptionsJson & { schema?: Schema }) =>
  web.Reader<Schema extends web.StandardSchema ? NonNullable<Schema['~standard']['types']>['output'] : any>
  /** @throws {TypeError} if an option is wrong */
  raw: (options?: web.OptionsRaw) => web.Reader<Uint8Array | undefined>
  /** @throws {TypeError} if an option is wrong */
  text: (options?: web.OptionsText) => web.Reader<string | undefined>
  /** @throws {TypeError} if an option is wrong, or excludes another one */
  urlencoded: (options?: web.OptionsUrlencoded) => web.Reader
}

export = web
