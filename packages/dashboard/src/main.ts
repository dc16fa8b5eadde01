import './no-eval.ts'
import { drawPlayground } from './view/playground.ts'

const place = document.getElementById('playground')
if (place !== null) drawPlayground(place, () => Date.now())
