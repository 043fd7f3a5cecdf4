import type { Scene } from './scenes.ts'

export interface SampleVideo {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly tags: readonly string[]
  readonly seconds: number
  readonly scene: Scene
}

const night = ['#060b1f', '#12224a', '#2b4a7d'] as const

/** Titles and scenes of the videos on the pictures. The last one is the newest and is shown as a file. */
export const sampleVideos: readonly SampleVideo[] = [
  {
    name: 'desert-road',
    title: 'Desert road',
    description: 'A drive through the valley before noon.',
    tags: ['travel'],
    seconds: 14,
    scene: {
      seed: 11,
      sky: ['#e9b872', '#f3d9a4', '#fbeedd'],
      hills: ['#d99a5b', '#c27a45', '#9c5433', '#6e3626'],
      sun: '#fff6df',
      stars: 0,
    },
  },
  {
    name: 'night-shift',
    title: 'Night shift at the observatory',
    description: 'Twelve hours in fourteen seconds.',
    tags: ['science', 'timelapse'],
    seconds: 14,
    scene: {
      seed: 23,
      sky: night,
      hills: ['#1b2c52', '#13213f', '#0c172e', '#070f20'],
      sun: '#f4f1e4',
      stars: 260,
    },
  },
  {
    name: 'harbour',
    title: 'Harbour at dawn',
    description: 'The first boats leave.',
    tags: ['travel', 'morning'],
    seconds: 12,
    scene: {
      seed: 37,
      sky: ['#5f77b5', '#f0a9a0', '#ffe0b8'],
      hills: ['#8d83b3', '#5f6a9b', '#41507f', '#293861'],
      sun: '#fff1d0',
      stars: 0,
    },
  },
  {
    name: 'forest',
    title: 'How a forest breathes',
    description: 'An interview with three botanists.',
    tags: ['science', 'interview'],
    seconds: 16,
    scene: {
      seed: 41,
      sky: ['#a9d6cf', '#cfe9d7', '#f2f6e2'],
      hills: ['#7fb39a', '#4f8f78', '#2f6b5a', '#174a40'],
      sun: '#fffbe6',
      stars: 0,
    },
  },
  {
    name: 'workshop',
    title: 'Workshop, part 1: light',
    description: 'Why the hour after sunset is the best one.',
    tags: ['course'],
    seconds: 18,
    scene: {
      seed: 53,
      sky: ['#2a2353', '#8a3f7c', '#f08a5d'],
      hills: ['#6d2f6b', '#4b2259', '#2f1745', '#1c0f2f'],
      sun: '#ffd9a0',
      stars: 40,
    },
  },
  {
    name: 'glacier',
    title: 'Under the glacier',
    description: 'A walk on the ice, in winter.',
    tags: ['travel', 'winter'],
    seconds: 12,
    scene: {
      seed: 67,
      sky: ['#7fb2d9', '#bcdcef', '#eef7fb'],
      hills: ['#c9deea', '#9fc3da', '#6c9dc0', '#3f6f99'],
      sun: '#ffffff',
      stars: 0,
    },
  },
  {
    name: 'rain',
    title: 'City after rain',
    description: 'Reflections, and a tram.',
    tags: ['city'],
    seconds: 12,
    scene: {
      seed: 71,
      sky: ['#2c3e50', '#4f6d7a', '#90a8a4'],
      hills: ['#5a7380', '#42596a', '#2d4152', '#1b2a38'],
      sun: '#e8eef0',
      stars: 0,
    },
  },
  {
    name: 'aurora',
    title: 'Aurora over the ridge',
    description: 'Filmed on the last night of the expedition.',
    tags: ['science', 'winter', 'timelapse'],
    seconds: 20,
    scene: {
      seed: 97,
      sky: ['#03102a', '#0b5e63', '#4fd1a5'],
      hills: ['#12504f', '#0c3a40', '#07272f', '#03151c'],
      sun: '#d8fff0',
      stars: 160,
    },
  },
]
