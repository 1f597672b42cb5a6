import { Command } from 'cmdk'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, Navigate, NavLink, Route, Routes, useNavigate } from 'react-router'
import { lists } from '../../client/lists.ts'
import { RecordList } from './record-list.jsx'
import './style.css'

function Palette() {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  useEffect(() => {
    const onKey = (event) => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setOpen((open) => !open)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  const go = (name) => {
    setOpen(false)
    void navigate(`/${name}`)
  }
  return (
    <Command.Dialog
      open={isOpen}
      onOpenChange={setOpen}
      label="Jump to"
      className="palette"
      overlayClassName="overlay"
    >
      <Command.Input placeholder="Jump to…" />
      <Command.List>
        <Command.Empty>No results.</Command.Empty>
        {lists.map(({ name, title }) => (
          <Command.Item key={name} value={title} onSelect={() => go(name)}>
            {title}
          </Command.Item>
        ))}
      </Command.List>
    </Command.Dialog>
  )
}

createRoot(document.getElementById('root')).render(
  <BrowserRouter>
    <div className="shell">
      <nav>
        {lists.map(({ name, title }) => (
          <NavLink key={name} to={`/${name}`}>
            {title}
          </NavLink>
        ))}
      </nav>
      <main>
        <Routes>
          {lists.map((list) => (
            <Route
              key={list.name}
              path={`/${list.name}`}
              element={<RecordList key={list.name} list={list} />}
            />
          ))}
          <Route path="*" element={<Navigate to="/drivers" replace />} />
        </Routes>
      </main>
    </div>
    <Palette />
  </BrowserRouter>,
)
