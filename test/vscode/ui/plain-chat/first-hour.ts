/** Takes one look of the soak `first-hour`: a story of a first hour in another theme and a narrow side bar. */
import type { ScriptedChat } from '../../harness/scripted-chat.ts';
import { hourIn } from '../first-hour/walk.ts';

export function firstHour(plain: () => ScriptedChat): void {
	describe('A first hour', () => {
		let hour: ReturnType<typeof hourIn> | undefined;
		after(() => hour?.setBack());

		it('shows in high contrast how all changes are taken back, with nothing cut (a sample of the soak)', async () => {
			const scripted = plain();
			await scripted.chat.focus();
			hour = hourIn(scripted);
			await hour.take({
				story: 'takes changes back',
				theme: 'high-contrast',
				place: 'right',
				width: 300,
				zoom: 100,
			});
		});
	});
}
