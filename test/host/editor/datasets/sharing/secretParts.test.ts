import assert from 'node:assert/strict';
import { secretParts, withoutParts } from '../../../../../src/editor/datasets/sharing/secretParts';

const definition = (headers: object, fields: object = {}) => ({
  name: 'Letters',
  baseUrl: 'https://a.example',
  contract: { headers, fileTask: { fields, taskId: '/id' } },
});

describe('What looks like a secret in the definition of a dataset', () => {
  for (const name of [
    'Authorization',
    'X-Api-Key',
    'apiKey',
    'access_token',
    'client-secret',
    'Cookie',
    'dbPassword',
  ]) {
    it(`is a header or a form field called ${name}`, () => {
      const found = secretParts(definition({ [name]: 'a' }, { [name]: 'b' }), undefined);
      assert.deepEqual(found, [
        { kind: 'header', name },
        { kind: 'field', name },
      ]);
    });
  }

  for (const value of ['Bearer abcdefgh12345', 'ghp_0123456789abcdefghij', 'x7Jq29Lm4vN8rT1zK5wP0sD3fG6hB2']) {
    it(`is a value such as ${value}`, () => {
      assert.deepEqual(secretParts(definition({ 'X-Note': value }), undefined), [{ kind: 'header', name: 'X-Note' }]);
    });
  }

  it('is the access key, wherever it stands', () => {
    const found = secretParts(definition({}, { options: '{"k":"my-key"}' }), 'my-key');
    assert.deepEqual(found, [{ kind: 'field', name: 'options' }]);
  });

  it('is nothing that is made of the file, no ID, and no word that only holds such a name', () => {
    const headers = { 'X-Author': 'me', 'X-Keyboard': 'de', 'X-Tenant': '550e8400-e29b-41d4-a716-446655440000' };
    const fields = { key: '${relativePath}', datasetId: '507f1f77bcf86cd799439011', title: '${taskName}', token: '' };
    assert.deepEqual(secretParts(definition(headers, fields), 'another-key'), []);
    for (const contract of [undefined, 7, { headers: 7 }, { fileTask: null }]) {
      assert.deepEqual(secretParts({ name: 'A', baseUrl: 'https://a.example', contract }, undefined), []);
    }
  });

  it('can be left out, and all else stays', () => {
    const whole = definition({ Authorization: 'a', 'X-Tenant': 'acme' }, { token: 'b' });
    assert.deepEqual(withoutParts(whole, secretParts(whole, undefined)), {
      ...whole,
      contract: { headers: { 'X-Tenant': 'acme' }, fileTask: { taskId: '/id' } },
    });
  });
});
