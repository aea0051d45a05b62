'use strict'

// What AWS hands to a function for a request, as its documentation shows it:
// API Gateway's payload formats 1.0 and 2.0, and an Application Load Balancer,
// whose headers are multi-value if its target group is set so.

const multi = (fields) => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]]))

const forwarded = {
  host: 'id.execute-api.us-east-1.amazonaws.com',
  'x-forwarded-for': '192.0.2.1',
  'x-forwarded-port': '443',
  'x-forwarded-proto': 'https'
}

const creators = {
  'payload 1.0' ({ method, headers, ...content }) {
    return {
      version: '1.0',
      resource: '/{proxy+}',
      path: '/',
      httpMethod: method,
      headers,
      multiValueHeaders: multi(headers),
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      requestContext: {
        httpMethod: method,
        identity: { sourceIp: '192.0.2.1', userAgent: 'user-agent' },
        path: '/',
        requestId: 'id=',
        stage: '$default'
      },
      ...content
    }
  },

  'payload 2.0' ({ method, headers, ...content }) {
    return {
      version: '2.0',
      routeKey: '$default',
      rawPath: '/',
      rawQueryString: '',
      headers,
      requestContext: {
        http: { method, path: '/', protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'agent' },
        requestId: 'id',
        stage: '$default'
      },
      ...content
    }
  },

  'load balancer' ({ method, headers, ...content }) {
    return { requestContext, httpMethod: method, path: '/', queryStringParameters: {}, headers, ...content }
  },

  'load balancer, multi-value' ({ method, headers, ...content }) {
    const fields = { multiValueQueryStringParameters: {}, multiValueHeaders: multi(headers) }
    return { requestContext, httpMethod: method, path: '/', ...fields, ...content }
  }
}

const requestContext = { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:us-east-1:1:targetgroup/group/6d0e' } }

/**
 * The events of a request, by what they come from. Bytes are in base64; a text may be, too.
 *
 * @param {import('../../support/requests').Request} request
 * @returns {Record<string, object>}
 */
function eventsOf ({ method = 'POST', headers, body }) {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const events = {}
  for (const [source, create] of Object.entries(creators)) {
    for (const [coding, content] of Object.entries(contentsOf(body))) {
      events[`${source}, ${coding}`] = create({ method, headers: { ...forwarded, ...headers, ...length }, ...content })
    }
  }
  return events
}

function contentsOf (body) {
  if (body === undefined) return { none: { body: null, isBase64Encoded: false } }
  const bytes = Buffer.from(body)
  const text = bytes.toString()
  const contents = { base64: { body: bytes.toString('base64'), isBase64Encoded: true } }
  if (bytes.equals(Buffer.from(text))) contents.text = { body: text, isBase64Encoded: false }
  return contents
}

module.exports = eventsOf
