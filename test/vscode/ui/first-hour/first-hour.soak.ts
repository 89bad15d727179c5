import { openScriptedChat, type ScriptedChat } from '../../harness/scripted-chat.ts';
import { hourIn, listLooks } from './walk.ts';

describe('soak: the first hour in every theme, place and width', () => {
	let scripted: ScriptedChat;
	let hour: ReturnType<typeof hourIn>;
	before(async () => {
		scripted = await openScriptedChat();
		await scripted.chat.focus();
		hour = hourIn(scripted);
	});
	after(() => scripted?.close());

	for (const look of listLooks()) {
		const { story, place, width, theme, zoom } = look;
		it(`${story}: ${place}, ${width} px, ${theme}, ${zoom} %`, () => hour.take(look));
	}
});
