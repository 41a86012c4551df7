import assert from 'node:assert/strict';
import { html } from '../../../../src/editor/batchPage/html';
import { fc } from '../../seededFastCheck';

describe('HTML', () => {
  it('has text from outside as text, in elements and in attributes', () => {
    const hostile = `<img src=x onerror="alert('1')">&amp;\``;
    assert.equal(
      html`<p title="${hostile}">${hostile}</p>`.text,
      [
        '<p title="&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62;&#38;amp;&#96;">',
        '&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62;&#38;amp;&#96;</p>',
      ].join(''),
    );
  });

  it('shows characters that hide or reorder others', () => {
    assert.equal(html`${'a\u202eb\u0000c'}`.text, 'a\\u202eb\\u0000c');
  });

  it('is put together of pieces, which are not escaped again', () => {
    const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
    assert.equal(html`<ul>${items}</ul>${html`<hr>`}${7}`.text, '<ul><li>a</li><li>&#60;b&#62;</li></ul><hr>7');
  });

  it('never has a sign of markup that comes from outside', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[<>"'`]/.test(html`${text}`.text)));
  });
});
