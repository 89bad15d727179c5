/** Runs the stories at the level *Edit freely*; they take turns in one window. */
import { inOneWindow } from '../harness/one-window.ts';
import { fileEncoding } from './freely/file-encoding.ts';
import { goBack } from './freely/go-back.ts';
import { goalStories } from './freely/goals.ts';
import { walkthrough } from './freely/walkthrough.ts';

const settings = { 'files.encoding': 'windows1250', 'prowess.approvals.level': 'edit' };

inOneWindow('In a window at the level Edit freely', settings, [fileEncoding, goBack, goalStories, walkthrough]);
