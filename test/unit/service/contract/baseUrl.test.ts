import assert from 'node:assert/strict';
import { checkBaseUrl, isLoopback, operationUrl, readTypedBaseUrl } from '../../../../src/service/contract/baseUrl';

describe('A base URL', () => {
  const faults = {
    '': 'notUrl',
    'api.example.com': 'notUrl',
    'https://a b': 'notUrl',
    'ftp://api.example.com': 'scheme',
    'file:///etc/passwd': 'notUrl',
    'https://user@api.example.com': 'userInfo',
    'https://:pass@api.example.com': 'userInfo',
    'https://api.example.com/?a=b': 'query',
    'https://api.example.com/#a': 'query',
    'http://10.0.0.1': 'scheme',
    'http://127.0.0.1.example.com': 'scheme',
    'http://[::2]': 'scheme',
  };
  for (const [text, fault] of Object.entries(faults)) {
    it(`such as ${JSON.stringify(text)} is invalid (${fault})`, () => {
      assert.deepEqual(checkBaseUrl(text), { fault });
    });
  }

  for (const text of [
    'https://api.example.com',
    ' https://api.example.com:8443/gateway/ ',
    'http://localhost:8080',
    'http://127.0.0.1',
    'http://127.1',
    'http://[::1]:3000',
  ]) {
    it(`such as ${JSON.stringify(text)} is valid`, () => {
      assert.deepEqual(checkBaseUrl(text), { url: new URL(text.trim()) });
    });
  }

  it('can use plain HTTP for another machine if the dataset allows it', () => {
    assert.deepEqual(checkBaseUrl('http://10.0.0.1', true), { url: new URL('http://10.0.0.1') });
    assert.deepEqual(checkBaseUrl('ftp://10.0.0.1', true), { fault: 'scheme' });
  });

  it('counts as a loopback URL if its host is localhost, but not if only its path contains localhost', () => {
    assert.equal(isLoopback(new URL('http://LOCALHOST')), true);
    assert.equal(isLoopback(new URL('http://example.com/localhost')), false);
  });
});

describe('A typed base URL', () => {
  const readings: readonly (readonly [typed: string, href: string])[] = [
    ['import.example.com', 'https://import.example.com/'],
    [' import.example.com:8443/gateway ', 'https://import.example.com:8443/gateway'],
    ['localhost:8080', 'http://localhost:8080/'],
    ['127.0.0.1', 'http://127.0.0.1/'],
    ['[::1]:3000', 'http://[::1]:3000/'],
    ['https://localhost', 'https://localhost/'],
    ['https://a.example/openapi/open/v1/file-task', 'https://a.example/'],
    ['a.example/g/openapi/open/v1/query-task/', 'https://a.example/g'],
    ['https://a.example//b.example/openapi/open/v1/file-task', 'https://a.example//b.example'],
    ['https://a.example/g/file-task', 'https://a.example/g/file-task'],
  ];
  for (const [typed, href] of readings) {
    it(`such as ${JSON.stringify(typed)} is interpreted as ${href}`, () => {
      const read = readTypedBaseUrl(typed);
      assert.ok('url' in read);
      assert.equal(read.url.href, href);
    });
  }

  const faults = {
    '': 'notUrl',
    'https:a.example': 'notUrl',
    'mailto:me@a.example': 'notUrl',
    'https:/a.example': 'notUrl',
    'ftp://a.example': 'scheme',
    'me@a.example': 'userInfo',
    'a.example?key=1': 'query',
    'http://a.example': 'scheme',
  };
  for (const [typed, fault] of Object.entries(faults)) {
    it(`such as ${JSON.stringify(typed)} is invalid (${fault})`, () => {
      assert.deepEqual(readTypedBaseUrl(typed), { fault });
    });
  }
});

describe('An operation URL', () => {
  const urls: readonly (readonly [base: string, path: string, url: string])[] = [
    ['https://a.example', '/x', 'https://a.example/x'],
    ['https://a.example/', '/x?y=1', 'https://a.example/x?y=1'],
    ['https://a.example:8443/g/h//', '/x', 'https://a.example:8443/g/h/x'],
    ['https://a.example/g?', '/x', 'https://a.example/g/x'],
    ['https://a.example/g#', '/x', 'https://a.example/g/x'],
    ['https://a.example', '//evil.example/x', 'https://a.example//evil.example/x'],
    ['https://a.example', '/@evil.example', 'https://a.example/@evil.example'],
    ['https://a.example', '/\\evil.example', 'https://a.example//evil.example'],
    ['http://[::1]:3000', '/x', 'http://[::1]:3000/x'],
  ];
  for (const [base, path, url] of urls) {
    it(`built from the base URL ${base} and the path ${path} is ${url}`, () => {
      assert.equal(operationUrl(new URL(base), path).href, url);
    });
  }
});
