/** Runs in a page of its own, as the baseline: a chat that draws the whole answer anew with every token posted to it. */
import { marked } from 'marked';

const answer = document.createElement('div');
document.body.append(answer);
let text = '';

window.addEventListener('message', ({ data }: MessageEvent<{ readonly token?: string }>) => {
	if (data.token !== undefined) {
		text += data.token;
		answer.innerHTML = marked.parse(text, { async: false });
	}
});
